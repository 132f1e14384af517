// Entry point of the page: creates the console and starts it.
import { App } from "./app.js";

/** The browser's storage for bindings and preferences, or null where the browser blocks it: access itself throws. */
function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

const app = new App(window, storage());
// for tests and for the browser's developer tools
Object.assign(window, { pelagos: { link: app.link, history: app.history, app } });
app.start();
