import { LegacyFakeTimers, ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** State of jest's framework and of OpenTelemetry's API, which belongs to one test file. */
const STATE_OF_A_FILE = /^Symbol\((?:JEST_|\$\$jest-|opentelemetry\.|_?RETRY_|_?TEST_|EVENT_HANDLERS)/;

/**
 * Environment of jest that has no `vm` context of its own: test files are evaluated in the realm of the process, as
 * programs are, so that packages and sources are loaded once per process (`package-runtime.cjs`). What a file adds to the
 * global object, to `process.env` or to the listeners of the process is removed when the file has ended.
 */
export default class ProcessEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.exportConditionsOfProject = projectConfig.testEnvironmentOptions.customExportConditions ?? [
      'node',
      'node-addons',
    ];
    this.before = {
      globals: new Map(
        Reflect.ownKeys(globalThis).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)]),
      ),
      variables: { ...process.env },
      exit: process.exit,
      folder: process.cwd(),
      listeners: new Map(process.eventNames().map((name) => [name, process.rawListeners(name)])),
    };
    this.moduleMocker = new ModuleMocker(globalThis);
    const timers = { config: projectConfig, global: globalThis };
    this.fakeTimersModern = new ModernFakeTimers(timers);
    this.fakeTimers = new LegacyFakeTimers({
      ...timers,
      moduleMocker: this.moduleMocker,
      timerConfig: { idToRef: (id) => id, refToId: (timer) => timer },
    });
  }

  async setup() {}

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    const { globals, variables, exit, folder, listeners } = this.before;
    for (const key of Reflect.ownKeys(globalThis)) {
      const descriptor = globals.get(key);
      if (descriptor !== undefined) {
        if (descriptor.configurable && 'value' in descriptor && globalThis[key] !== descriptor.value)
          Object.defineProperty(globalThis, key, descriptor);
      } else if (typeof key === 'string' || STATE_OF_A_FILE.test(String(key))) Reflect.deleteProperty(globalThis, key);
    }
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    process.exit = exit;
    if (process.cwd() !== folder) process.chdir(folder);
    for (const name of process.eventNames())
      for (const listener of process.rawListeners(name))
        if (!(listeners.get(name) ?? []).includes(listener)) process.removeListener(name, listener);
  }

  exportConditions() {
    return this.exportConditionsOfProject;
  }

  /** `PackageRuntime` evaluates in the context of the process, for which `node:vm` has no object. */
  getVmContext() {
    return globalThis;
  }
}
