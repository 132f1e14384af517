"""Controller tuning from the vehicle model: response, gains, rate limits and the schedule over speed."""
