// Compile the modules of Python's standard library that a check in the browser needs, by the CPython that will run them.
// `node compile_stdlib.mjs FOLDER MODULE...`: FOLDER has the npm package pyodide; its python_stdlib.zip is written anew, and
// the same files make the same bytes. Modules that were not loaded stay as they are: bytecode is twice as large as source.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, ...modules] = process.argv.slice(2);
const path = `${folder}/python_stdlib.zip`;
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: folder, env: { PYTHONHASHSEED: "0" }, lockFileContents: JSON.parse(readFileSync(`${folder}/pyodide-lock.json`)) });
python.FS.writeFile("/given.zip", readFileSync(path));
python.runPython(`
import importlib, importlib.util, sys, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

def write(modules):
    for name in modules:
        importlib.import_module(name)
    origins = {getattr(getattr(one, "__spec__", None), "origin", None) for one in list(sys.modules.values())}
    with zipfile.ZipFile("/given.zip") as given, zipfile.ZipFile("/made.zip", "w") as made:
        files = {}
        for name in given.namelist():
            place = f"/lib/python314.zip/{name}"
            if place in origins and name.endswith(".py"):
                code = compile(given.read(name), place, "exec", dont_inherit=True)
                files[name + "c"] = bytes(_code_to_hash_pyc(code, bytes(8), False))  # unchecked: the source is not there
            elif not name.endswith("/"):
                files[name] = given.read(name)
        for name in sorted(files, key=lambda name: (name.endswith(".pyc"), name)):  # stored: it is packed as a whole
            made.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name])
`);
python.globals.get("write")(modules);
writeFileSync(path, python.FS.readFile("/made.zip"));
