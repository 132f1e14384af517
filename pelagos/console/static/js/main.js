// The page starts here.
import { App } from "./app.js";

/** What may be kept in this browser; some refuse even to be asked. */
function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

const app = new App(window, storage());
// for tests and for those who like to look behind
Object.assign(window, { pelagos: { link: app.link, history: app.history, app } });
app.start();
