/** Pages of the site that belong together, under a title in the side bar. Paths are below `docs/`. */
export interface PageGroup {
  readonly title: string;
  readonly pages: readonly string[];
}

/** A part of the site, by the need of the reader: to learn, to do a task, to look something up, to understand. */
export interface Section {
  readonly title: string;
  /** The address of the list of its pages. */
  readonly path: string;
  readonly description: string;
  readonly groups: readonly PageGroup[];
}

const guides = (...names: readonly string[]): readonly string[] => names.map((name) => `guide/${name}.md`);
const contract = (...names: readonly string[]): readonly string[] => names.map((name) => `contract/${name}.md`);

/**
 * Every page of the site. `start.md` is the README; `changelog.md`, `contributing.md` and `security-policy.md` are
 * files of the root of the repository; the pages of `reference/typescript` and `adr/` are listed by their folder.
 */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Tutorials',
    path: 'tutorials.md',
    description: 'Learn Lintel step by step. Tests run every command of these pages.',
    groups: [{ title: 'Tutorials', pages: ['start.md', ...guides('first-application', 'testing')] }],
  },
  {
    title: 'How-to guides',
    path: 'guide/index.md',
    description: 'How to do one task, for readers who know the basics.',
    groups: [
      {
        title: 'Applications',
        pages: guides(
          'applications',
          'existing-database',
          'queries',
          'services',
          'jobs',
          'events',
          'mail',
          'notifications',
          'messages',
          'migrations',
          'command-line',
        ),
      },
      {
        title: 'Using the API',
        pages: guides(
          'clients',
          'identity',
          'passwords',
          'provisioning',
          'second-factor',
          'tokens',
          'anonymous',
          'reading',
          'writing',
          'writing-safely',
          'import-export',
          'metadata',
          'files',
          'changes',
          'history',
          'personal-data',
          'webhooks',
          'javascript-client',
          'react',
          'admin-frameworks',
          'api-documents',
        ),
      },
      { title: 'Reports', pages: guides('reports', 'report-workbooks', 'report-runs') },
      {
        title: 'Operation',
        pages: guides(
          'console',
          'extend-the-console',
          'deploy',
          'troubleshooting',
          'upgrading',
          'configuration',
          'postgresql',
          'kubernetes',
          'gateway',
          'events-and-caches',
          'observability',
          'teams',
        ),
      },
    ],
  },
  {
    title: 'Reference',
    path: 'reference/index.md',
    description: 'Exact descriptions of the API, the settings, the commands and the code.',
    groups: [
      {
        title: 'Settings and lists',
        pages: [
          'reference/commands.md',
          'reference/config.md',
          'reference/errors.md',
          'reference/events.md',
          'reference/caches.md',
          'reference/metrics.md',
          'reference/openid-conformance.md',
          'reference/typescript/index.md',
        ],
      },
      {
        title: 'The contract of the HTTP API',
        pages: contract(
          'README',
          'conventions',
          'reading',
          'instances',
          'fetch-plans',
          'filters',
          'search',
          'aggregates',
          'exports',
          'imports',
          'writing',
          'history',
          'access-log',
          'bin',
          'personal-data',
          'dynamic-attributes',
          'queries',
          'services',
          'jobs',
          'events',
          'mail',
          'controllers',
          'model-versions',
          'files',
          'metadata',
          'messages',
          'user',
          'reports',
          'report-data',
          'report-templates',
          'api-documents',
          'tokens',
          'clients',
          'operations',
          'roles',
          'rights',
          'row-policies',
          'errors',
          'configuration',
          'decisions',
        ),
      },
    ],
  },
  {
    title: 'Explanation',
    path: 'explanation.md',
    description: 'How Lintel works, and why.',
    groups: [
      {
        title: 'How it works',
        pages: [
          'architecture.md',
          'comparison.md',
          'not-included.md',
          'security.md',
          'reliability.md',
          'performance.md',
          'vocabulary.md',
        ],
      },
      { title: 'Decisions', pages: ['adr/README.md'] },
      { title: 'The project', pages: ['changelog.md', 'contributing.md', 'security-policy.md'] },
    ],
  },
];

/** Short titles in the side bar, where the title of the page says less there than on the page. */
export const SHORT_TITLES: Readonly<Record<string, string>> = {
  'start.md': 'Ten minutes with Lintel',
  'contract/README.md': 'Overview',
};

/** Files of the root of the repository that are pages of the site. */
export const ROOT_PAGES: Readonly<Record<string, string>> = {
  'README.md': 'start.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security-policy.md',
};
