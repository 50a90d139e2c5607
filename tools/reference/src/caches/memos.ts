/** Something that outlives a request outside the library of caches, and why that is right. */
export interface MemoRow {
  readonly path: string;
  /** What it holds. */
  readonly holds: string;
  /** What it is found by, and what bounds it. */
  readonly bound: string;
}

/**
 * All of them. None holds a fact that changes: each is decided by its key alone, or goes with the value it was made
 * of. A test finds those that are made when a module is loaded.
 */
export const MEMOS: readonly MemoRow[] = [
  {
    path: 'libs/telemetry/src/watchdog/work-under-way.ts',
    holds: 'the requests under way, for the log of a blocked event loop',
    bound: 'from the begin of a request to the end of its response',
  },
  {
    path: 'libs/security/src/access/access-directory.ts',
    holds: 'what a set of resource roles allows',
    bound: 'the book of roles (the cache `roles`) and the codes; goes with the book; 1,000 sets',
  },
  {
    path: 'libs/entities/src/read/load-access.ts',
    holds: 'reading rights of a set of roles, with their fingerprint',
    bound: 'the book of roles and the codes; goes with the book; 1,000 sets',
  },
  {
    path: 'libs/entities/src/read/row-rules.ts',
    holds: 'the row-level policies of a book of roles, parsed',
    bound: 'the book of roles; goes with it',
  },
  {
    path: 'services/reports/src/definitions/stored-reports.ts',
    holds: 'compiled templates of the reports of the database',
    bound: 'the snapshot of the reports (the cache `reports`); goes with it',
  },
  {
    path: 'services/reports/src/definitions/report-catalogue.ts',
    holds: 'reports and compiled templates of the application',
    bound: 'the code of the application; as many as it has',
  },
  {
    path: 'libs/entities/src/write/scope/item-paths.ts',
    holds: 'errors whose items keep their paths',
    bound: 'the error; goes with it',
  },
  {
    path: 'libs/entities/src/write/model/write-model.ts',
    holds: 'the model as writes need it: for each entity its columns, tables, statements and references',
    bound: 'the version of the model; goes with it',
  },
  {
    path: 'libs/entities/src/write/run/current-write-dependencies.ts',
    holds: 'what writes work with, for the model of this moment',
    bound: 'the dependencies; one, replaced when the model changes',
  },
  {
    path: 'libs/entities/src/write/validate/check-rule.ts',
    holds: 'regular expressions of validation rules',
    bound: 'the pattern; as many as the model has',
  },
  {
    path: 'libs/entities/src/paging/create-cursor-codec.ts',
    holds: 'keys that open the cursors of other processes',
    bound: 'the salt in the cursor; 100 keys',
  },
  {
    path: 'services/data/src/openapi/explorer/explorer-files.ts',
    holds: 'files of the explorer of the API',
    bound: 'the name of a file of the package; six',
  },
  {
    path: 'services/reports/src/rendering/xlsx/writing/cell-value.ts',
    holds: 'tokens of the formulas of a template',
    bound: 'the compiled template; goes with it',
  },
  {
    path: 'services/reports/src/rendering/xlsx/writing/band-lines.ts',
    holds: 'lines of a band of a template',
    bound: 'the compiled template; goes with it',
  },
  {
    path: 'libs/metadata/src/messages/format-message.ts',
    holds: 'parsed texts with parameters',
    bound: 'locale and text; 2,000 texts',
  },
  {
    path: 'libs/metadata/src/messages/display.ts',
    holds: 'how values are shown in a locale',
    bound: 'the messages (the cache `messages`) and the locale; goes with the messages',
  },
  {
    path: 'libs/metadata/src/messages/locale-formats.ts',
    holds: 'formats of a locale',
    bound: 'the locale; 200 locales',
  },
  {
    path: 'libs/metadata/src/messages/patterns/format-decimal.ts',
    holds: 'parsed patterns of numbers',
    bound: 'the pattern; 1,000 patterns',
  },
  {
    path: 'libs/query/src/resolve/language/self.ts',
    holds: 'the variable of a policy that stands for the instance',
    bound: 'the entity; goes with the model',
  },
  {
    path: 'libs/query/src/compile/compile-read.ts',
    holds: 'whether a plan has rows within rows',
    bound: 'the plan; goes with the entry of the cache `statements`',
  },
  {
    path: 'libs/application/src/services/rest-service.ts',
    holds: 'what decorators say of methods of services',
    bound: 'the code of the application',
  },
  {
    path: 'libs/cache/src/caches/cache-declaration.ts',
    holds: 'the declarations of this page',
    bound: 'the code',
  },
  {
    path: 'libs/persistence/src/connection/statement-batch.ts',
    holds: 'the columns of prepared statements',
    bound: 'the connection and the name of the statement; goes with the connection',
  },
  {
    path: 'libs/persistence/src/typeorm/open-data-source.ts',
    holds: 'what TypeORM knows of the entities of a model',
    bound: 'the entities of the model; goes with them',
  },
  {
    path: 'libs/http/src/health/draining.ts',
    holds: 'listeners that stop',
    bound: 'the listener; goes with it',
  },
];
