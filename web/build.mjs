// Builds the vendored three.js from the locked package: `node build.mjs` writes it, `node build.mjs --check` compares
// the vendored files with a fresh build.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const vendor = join(here, "..", "pelagos", "console", "static", "vendor");
const library = join(here, "node_modules", "three");

/** Build the files of the vendor folder: their bytes by name. */
async function buildFiles() {
  const { version } = JSON.parse(readFileSync(join(library, "package.json"), "utf8"));
  const result = await build({
    absWorkingDir: here,
    entryPoints: ["three-entry.js"],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    banner: { js: `// three.js ${version}, MIT licence: see LICENSE. Built by web/build.mjs.` },
  });
  const bytes = Buffer.from(result.outputFiles[0].contents);
  const digest = createHash("sha256").update(bytes).digest("hex");
  return {
    "three.js": bytes,
    "VERSION.txt": Buffer.from(`three ${version}\nsha256 of three.js ${digest}\n`),
    LICENSE: readFileSync(join(library, "LICENSE")),
  };
}

const files = await buildFiles();
if (process.argv.includes("--check")) {
  let stale = 0;
  for (const [name, bytes] of Object.entries(files)) {
    let present = Buffer.alloc(0);
    try {
      present = readFileSync(join(vendor, name));
    } catch {
      // a missing file counts as stale: it stays empty here
    }
    if (!present.equals(bytes)) {
      console.error(`vendor/${name} differs from a build of web/package-lock.json: run node build.mjs in web/`);
      stale += 1;
    }
  }
  process.exitCode = stale ? 1 : 0;
} else {
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(join(vendor, name), bytes);
    console.log(`vendor/${name} ${bytes.length} bytes`);
  }
}
