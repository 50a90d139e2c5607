/**
 * What runs after the preparation, and whether it needs the build. `undefined`: the preparation is all. `first` are
 * parameters before those of the command line. What is supervised runs in a process of its own, which is started again
 * where it dies. `about` and `options` are what `--help` prints; a task without `options` leaves its parameters to the
 * program that `parameters` names.
 *
 * @type {Readonly<Record<string, Task>>}
 * @typedef {object} Task
 * @property {string | undefined} module
 * @property {boolean} builds
 * @property {string} about
 * @property {Readonly<Record<string, string>>} [options] with their descriptions; others are refused
 * @property {string} [parameters] what reads the parameters
 * @property {readonly string[]} [first]
 * @property {string} [supervisedAs]
 */
export const TASKS = {
  start: {
    module: 'deploy/standalone/dist/main.js',
    builds: true,
    supervisedAs: 'The process of the services',
    about:
      'Starts everything in one process, with the example application. PORT (8080) and LINTEL_HOME (.lintel) are variables; so is every property, such as SVC_DEMO_ENABLED=false.',
    options: {},
  },
  services: {
    module: 'deploy/services/start-services.mjs',
    builds: true,
    about: 'Starts the five services as processes, with the servers that variables name.',
    options: {},
  },
  documents: {
    module: 'tools/reference/dist/write-release-documents.js',
    builds: true,
    about: 'Writes the API documents and the bills of materials of a release.',
    parameters: 'The parameter is the folder; .lintel/documents without it.',
  },
  pack: {
    module: 'tools/pack/pack.mjs',
    builds: true,
    about: 'Makes the packages that are published, in .lintel/packages.',
    options: {},
  },
  release: {
    module: 'tools/release/release.mjs',
    builds: true,
    about: 'Packs, signs and publishes a version. Needs npm, cosign, Docker and Helm with logins at the registries.',
    parameters: [
      '  --registry <url>      packages, to a registry of npm',
      '  --images <host/path>  images of the services, as <host/path>-<service>',
      '  --reports-runtime plain  reports without LibreOffice and Chromium',
      '  --charts <host/path>  the chart',
      '  --key <key>           file or name of a key for cosign; by default it signs with your identity, in a public log',
    ].join('\n'),
  },
  migrate: {
    module: 'deploy/services/migrate.mjs',
    builds: true,
    about: 'Runs migrations, as "npx lintel migrate" does.',
    parameters: 'Parameters are those of "npx lintel migrate"; "npx lintel migrate --help" lists them.',
  },
  'config:print': {
    module: 'deploy/services/print-config.mjs',
    builds: true,
    about: 'Prints the configuration of the services.',
    parameters: 'Parameters are those of "npx lintel config print"; "npx lintel config print --help" lists them.',
  },
  test: {
    module: 'tools/test/run-tests.mjs',
    builds: false,
    about: 'Runs all tests.',
    options: {
      '--all': 'also the unit and integration tests of packages that have not changed since they passed',
      '--long': 'also the long tests, and 10,000 cases of each property',
    },
  },
  'test:unit': kindOfTests('unit', 'unit and property tests'),
  'test:int': kindOfTests('int', 'integration tests'),
  'test:contract': kindOfTests('contract', 'tests of the public API'),
  'test:images': {
    module: 'tools/test/images/test-images.mjs',
    builds: true,
    about: 'Builds the images with the container engines of this machine, and runs the compose file with them.',
    parameters: 'Jest gets the parameters.',
  },
  'test:cluster': {
    module: 'tools/test/cluster/test-cluster.mjs',
    builds: true,
    about: 'Gives the chart and the overlays of Kustomize to the API server of a Kubernetes.',
    parameters: 'Jest gets the parameters.',
  },
  'test:watch': kindOfTests('watch', 'unit tests of the files that change'),
  dev: {
    module: 'tools/bootstrap/dev.mjs',
    builds: false,
    about: 'Starts everything in one process from the sources, and again after each change of them.',
    parameters: 'Parameters, such as --inspect, are those of Node.',
  },
  bench: {
    module: 'bench/src/main.ts',
    builds: true,
    about: 'Measures throughput, times and memory.',
    parameters: 'The option --help lists the options.',
  },
  'bench:reports': {
    module: 'bench/src/reports/main.ts',
    builds: true,
    about: 'Measures the creation of documents.',
    parameters: 'The module has the options.',
  },
  'bench:events': {
    module: 'bench/src/events/main.ts',
    builds: true,
    about: 'Measures how fast events pass the broker.',
    parameters: 'The module has the options.',
  },
  'bench:imports': {
    module: 'bench/src/imports/main.ts',
    builds: true,
    about: 'Measures how fast tables are imported.',
    parameters: 'The module has the options.',
  },
  'bench:jobs': {
    module: 'bench/src/jobs/main.ts',
    builds: true,
    about: 'Measures how fast jobs are run.',
    parameters: 'The module has the options.',
  },
  lint: {
    module: 'tools/test/lint.mjs',
    builds: false,
    about: 'Checks form, import rules and citations.',
    options: {},
  },
  boundaries: { module: 'tools/boundaries/src/main.ts', builds: false, about: 'Checks the import rules.', options: {} },
  site: { module: 'tools/site/serve.mjs', builds: false, about: 'Serves the documentation.', options: {} },
  'site:build': { module: 'tools/site/build.mjs', builds: false, about: 'Builds the documentation.', options: {} },
  build: { module: undefined, builds: true, about: 'Builds all packages that have changed.', options: {} },
};

function kindOfTests(kind, title) {
  return {
    module: 'tools/test/run-kind.mjs',
    builds: false,
    first: [kind],
    about: `Runs ${title}.`,
    parameters: 'Parameters are those of jest: files or folders, and -t with a part of the name of a test.',
  };
}
