import { availableParallelism } from 'node:os';

/**
 * One configuration for every kind of test; the file name tells the kind:
 * `*.test.ts` values only · `*.prop.test.ts` properties · `*.int.test.ts` real servers ·
 * `*.long.test.ts` the same for longer (`npm run test:long`) · `*.images.test.ts` images in containers (`npm run test:images`) ·
 * `*.cluster.test.ts` with an API server of Kubernetes (`npm run test:cluster`).
 * Tests run against the sources (export condition `lintel-source`), as ES modules. Tests and their helpers are evaluated
 * anew for each test file; sources of packages, and packages of others, once per process.
 */
const base = {
  testEnvironment: '@lintel/testkit/jest-environment',
  runtime: '@lintel/testkit/jest-runtime',
  testEnvironmentOptions: { customExportConditions: ['lintel-source', 'node'] },
  modulePathIgnorePatterns: ['/dist/'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { decoratorVersion: '2022-03' },
          target: 'es2024',
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
        // In files of their own: they are half of the text of a module.
        sourceMaps: true,
      },
    ],
  },
  extensionsToTreatAsEsm: ['.ts'],
};

const sources = ['apps', 'libs', 'services', 'examples', 'deploy', 'tools', 'bench', 'site'].map(
  (folder) => `<rootDir>/${folder}`,
);
const servers = {
  globalSetup: '@lintel/testkit/jest-setup',
  globalTeardown: '@lintel/testkit/jest-teardown',
};

const config = {
  // Test files use different databases, buses, buckets and ports. They wait for servers as long as they work, so that
  // two of them are quicker than one on any machine; with more than four, the servers are what is waited for.
  maxWorkers: Math.min(Math.max(availableParallelism(), 2), 4),
  // The modules of test files that have ended are freed late.
  workerIdleMemoryLimit: '1500MB',
  // No worker may hide a leak by being killed quietly.
  openHandlesTimeout: 5000,
  // Within the default of half a second, a worker on a busy machine does not free its memory: only a leak lasts longer.
  workerGracefulExitTimeout: 30_000,
  // A busy machine is no failure: tests that start processes have taken a minute. One that hangs is one, two minutes later.
  testTimeout: 120_000,
  projects: [
    {
      ...base,
      displayName: 'unit',
      roots: sources,
      testMatch: ['**/*.test.ts'],
      // The template of an application has tests of its own, which run where it has become one.
      testPathIgnorePatterns: [
        '/node_modules/',
        '/tools/lintel/template/',
        '\\.(int|long|images|cluster)\\.test\\.ts$',
      ],
    },
    {
      ...base,
      ...servers,
      displayName: 'integration',
      roots: [...sources, '<rootDir>/tests/existing-databases'],
      testMatch: ['**/*.int.test.ts'],
    },
    { ...base, displayName: 'contract', roots: ['<rootDir>/tests/contract'], testMatch: ['**/*.test.ts'] },
    {
      ...base,
      displayName: 'e2e',
      roots: ['<rootDir>/tests/e2e'],
      // Not by `testPathIgnorePatterns`, which the option of the same name replaces.
      testMatch: ['**/*.test.ts', '!**/*.long.test.ts'],
    },
    // The site of the documentation, which takes a minute to build: with `--long`, and in a workflow of its own.
    {
      ...base,
      displayName: 'site',
      roots: ['<rootDir>/tests/site'],
      testMatch: ['**/*.test.ts'],
      globalSetup: '<rootDir>/tests/site/build-site.mjs',
    },
    { ...base, displayName: 'newcomer', roots: ['<rootDir>/tests/newcomer'], testMatch: ['**/newcomer.test.ts'] },
    {
      ...base,
      ...servers,
      displayName: 'faults',
      roots: ['<rootDir>/tests/faults'],
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.long\\.test\\.ts$'],
    },
    {
      ...base,
      ...servers,
      displayName: 'hostile',
      roots: ['<rootDir>/tests/hostile'],
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.long\\.test\\.ts$'],
    },
    // With a container engine: `npm run test:images`.
    {
      ...base,
      displayName: 'images',
      roots: ['<rootDir>/deploy', '<rootDir>/tools/release'],
      testMatch: ['**/*.images.test.ts'],
    },
    // With the API server of a Kubernetes: `npm run test:cluster`.
    { ...base, displayName: 'cluster', roots: ['<rootDir>/deploy'], testMatch: ['**/*.cluster.test.ts'] },
    // Ten thousand cases, minutes of load, files of gigabytes: `npm run test:long`.
    {
      ...base,
      ...servers,
      displayName: 'long',
      roots: [
        ...sources,
        '<rootDir>/tests/e2e',
        '<rootDir>/tests/faults',
        '<rootDir>/tests/generated-clients',
        '<rootDir>/tests/hostile',
        '<rootDir>/tests/newcomer',
      ],
      testMatch: ['**/*.long.test.ts'],
    },
  ],
};

export default config;
