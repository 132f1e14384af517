"""A Dask cluster of real processes: no run is lost when a worker is killed."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pelagos.campaign import run_campaign
from pelagos.campaign.check import check
from pelagos.campaign.executors.cluster import DaskExecutor, check_scheduler
from pelagos.campaign.sampling import make_plan
from pelagos.errors import CommandError
from tests.campaign.tiny import same, tiny

PATIENCE_S = 120.0  # of a machine with much else to do


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A scheduler and two workers of one thread each: its address and the workers' processes."""
    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    common = ["--scheduler-file", str(file), "--no-dashboard"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONWARNINGS": "ignore"}

    def start(*words):
        command = [sys.executable, "-m", "dask", *words]
        return subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.DEVNULL)

    processes = [start("scheduler", "--host", "127.0.0.1", "--port", "0", *common)]
    try:
        wait_for(file.exists)
        own = ("--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")
        processes += [start("worker", *common, *own) for _ in range(2)]
        address = json.loads(file.read_text())["address"]
        wait_for(lambda: check_scheduler(address) == 2)
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def wait_for(done):
    end = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.slow
def test_a_worker_that_differs_from_the_plan_is_refused(cluster):
    campaign = tiny()
    plan = make_plan(campaign)
    job = check(campaign, plan).job
    other = dataclasses.replace(job, identity=dataclasses.replace(job.identity, engine="of another version"))
    with DaskExecutor(other, cluster[0]) as executor:
        executor.submit((plan.run(0),))
        with pytest.raises(
            CommandError, match="a worker differs from the plan of the campaign: the engine was of another"
        ):
            executor.next_result()


@pytest.mark.slow
def test_a_worker_that_is_killed_half_way_loses_nothing(cluster, tmp_path):
    address, workers = cluster
    finished_counts = []

    def watch(over, planned, failed):
        finished_counts.append(over)
        if len(finished_counts) > 1 and workers[0].poll() is None and over >= 4:
            os.kill(workers[0].pid, signal.SIGKILL)
            workers[0].wait()

    campaign = tiny(runs=24, set={"speed": 20.0})  # at least a twentieth of a second each: both have some in hand
    results = run_campaign(campaign, tmp_path / "cluster", scheduler=address, progress=watch)
    assert workers[0].returncode == -signal.SIGKILL and min(finished_counts[1:]) < 24
    assert results["run"].tolist() == list(range(24)) and results.failed == 0
    alone = run_campaign(tiny(runs=24), tmp_path / "alone", workers=1)
    same(results.table, alone.table)
    assert not list(Path(tmp_path / "cluster").rglob("*.new"))


@pytest.mark.slow
def test_an_address_without_a_scheduler_is_refused(monkeypatch):
    monkeypatch.setattr("pelagos.campaign.executors.cluster.PATIENCE_S", 0.5)
    with pytest.raises(CommandError, match=r"--scheduler is .tcp://127.0.0.1:1.; no Dask scheduler answers there"):
        check_scheduler("tcp://127.0.0.1:1")
    with pytest.raises(CommandError, match="no Dask scheduler answers there"):
        check_scheduler("nonsense")
    with pytest.raises(CommandError, match=r"no Dask scheduler answers there .unknown address scheme 'foo'"):
        check_scheduler("foo://127.0.0.1:1")
