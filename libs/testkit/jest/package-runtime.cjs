const { createRequire } = require('node:module');
const { dirname, join, sep } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const vm = require('node:vm');
const jestRuntime = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;
/** Parts of jest have one instance per test file. */
const FRAMEWORK = /[\\/]node_modules[\\/](?:@jest[\\/]|jest-|expect[\\/])/;
const isPackage = (path) => path.includes(PACKAGES) && !FRAMEWORK.test(path);
/** The parts of jest that have state of a test file. */
const FRAMEWORK_WITH_STATE =
  /[\\/]node_modules[\\/](?:@jest[\\/](?:expect|globals)|jest-(?:circus|mock|snapshot)|expect)[\\/]/;
const nativeRequire = createRequire(__filename);

/** Compiled code of modules, by their text. */
const compiled = new Map();
/** Functions of CommonJS modules, among them the parts of jest, by their paths. */
const functions = new Map();
/** Evaluates the modules of the test file that is running. */
let current;
/** Loads the ES modules of the test file that is running. */
let loader;

/** The root of the repository, with a slash at its end. */
const SOURCES = pathToFileURL(join(__dirname, '../../..', sep)).href;
/** Helpers of tests and tests have imports and state of a test file. */
const OF_TESTS = /(?:^|\/)(?:test|tests|testkit|node_modules)\/|\.test\.tsx?$/;
/** A jest that watches runs tests of edited sources in its own process. */
const SHARES = !process.argv.some((argument) => argument.startsWith('--watch'));
const isShared = (url) =>
  SHARES && url.startsWith(SOURCES) && url.includes('/src/') && !OF_TESTS.test(url.slice(SOURCES.length));

/** Sources of the packages, by their URLs. */
const shared = new Map();

/** The modules of a test file, and the shared ones. */
class ModuleRegistry extends Map {
  get(url) {
    return super.get(url) ?? shared.get(url);
  }

  has(url) {
    return super.has(url) || shared.has(url);
  }

  set(url, module) {
    if (!isShared(url)) return super.set(url, module);
    shared.set(url, module);
    return this;
  }
}

/** The meta data of a shared module, which keeps nothing of the test file that has loaded it first. */
function describeShared(url, meta) {
  meta.url = url;
  meta.filename = fileURLToPath(url);
  meta.dirname = dirname(meta.filename);
  meta.main = false;
  meta.resolve = (specifier, parent = url) => loader.resolveForImportMeta(fileURLToPath(parent), specifier);
}

/** Makes a module of a text. One that is not shared is compiled once per process, and evaluated for each test file. */
function construct(SourceTextModule, [text, options]) {
  if (isShared(pathToFileURL(options.identifier).href)) return new SourceTextModule(text, options);
  const cachedData = compiled.get(text);
  if (cachedData !== undefined)
    try {
      return new SourceTextModule(text, { ...options, cachedData });
    } catch (error) {
      // V8 has other options than before: a test has changed them.
      if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
    }
  const module = new SourceTextModule(text, options);
  compiled.set(text, module.createCachedData());
  return module;
}
if (vm.SourceTextModule !== undefined) vm.SourceTextModule = new Proxy(vm.SourceTextModule, { construct });

/** Makes the function of a CommonJS module, which is called again for each test file. */
function compile(source, filename) {
  const known = functions.get(filename);
  if (known?.source === source) return known.run;
  const run = vm.compileFunction(source, current.injectedModuleParameters, {
    filename,
    importModuleDynamically: (specifier, _function, attributes, phase) =>
      current.dynamicImport(specifier, filename, undefined, attributes, phase),
  });
  functions.set(filename, { source, run });
  return run;
}

/**
 * Runtime of jest that evaluates tests and their helpers anew for each test file, but loads packages and the sources of
 * this repository once per process, as Node does. With `ProcessEnvironment` all are in the same realm.
 */
module.exports = class PackageRuntime extends jestRuntime.default {
  constructor(...parameters) {
    super(...parameters);
    const { esmLoader, executor } = this;
    // The context of the process.
    esmLoader.getContext = () => undefined;
    current = executor;
    this.shareSources(esmLoader);
    executor.compile = compile;

    const { shouldLoadAsEsm } = this._resolution;
    this._resolution.shouldLoadAsEsm = (path, ...more) =>
      !isPackage(path) && shouldLoadAsEsm.call(this._resolution, path, ...more);
    const { pendingCjsBuildIsUnmarkedEsm, buildCjsAsEsmSyntheticModule } = esmLoader;
    esmLoader.pendingCjsBuildIsUnmarkedEsm = (pending) =>
      !isPackage(pending.modulePath) && pendingCjsBuildIsUnmarkedEsm.call(esmLoader, pending);
    esmLoader.buildCjsAsEsmSyntheticModule = (from, path, context) =>
      isPackage(path) ? moduleOfPackage(path) : buildCjsAsEsmSyntheticModule.call(esmLoader, from, path, context);
  }

  shareSources(esmLoader) {
    const { dynamicImport, buildSyncSourceEntry } = esmLoader;
    loader = { dynamicImport, resolveForImportMeta: esmLoader.resolveForImportMeta.bind(esmLoader) };
    this.registries.esModuleRegistry = new ModuleRegistry();
    esmLoader.dynamicImport = (...given) => loader.dynamicImport(...given);
    esmLoader.buildSyncSourceEntry = (entry) =>
      buildSyncSourceEntry.call(
        esmLoader,
        isShared(entry.cacheKey)
          ? { ...entry, initializeImportMeta: (meta) => describeShared(entry.cacheKey, meta) }
          : entry,
      );
  }

  requireModuleOrMock(from, name) {
    const path = this._resolution.isCoreModule(name) ? undefined : this._resolution.resolveCjs(from, name);
    return path !== undefined && isPackage(path) ? nativeRequire(path) : super.requireModuleOrMock(from, name);
  }

  /** Called for what parts of jest require. */
  requireInternalModule(from, name) {
    const isName = name !== undefined && !name.startsWith('jest-main:') && !this._resolution.isCoreModule(name);
    const path = isName ? this._resolution.resolveCjs(from, name) : '';
    return path.includes(PACKAGES) && !FRAMEWORK_WITH_STATE.test(path)
      ? nativeRequire(path)
      : super.requireInternalModule(from, name);
  }

  /** The process's own stays as it is. */
  installGetBuiltinModule() {}
};

function moduleOfPackage(path) {
  const loaded = nativeRequire(path);
  const isNamespace = Object.prototype.toString.call(loaded) === '[object Module]';
  const names = new Set(['default', ...(isNamespace || isRecord(loaded) ? Object.keys(loaded) : [])]);
  const module = new vm.SyntheticModule(
    [...names],
    () => {
      for (const name of names) module.setExport(name, name === 'default' && !isNamespace ? loaded : loaded[name]);
    },
    { identifier: path },
  );
  return module;
}

const isRecord = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
