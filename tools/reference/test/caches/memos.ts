/** A value outside the library of caches that outlives a request, and what limits it. */
export interface MemoRow {
  readonly path: string;
  /** The content. */
  readonly holds: string;
  /** The key, how long an entry lives, and the greatest number of entries. */
  readonly bound: string;
}

/**
 * All such values. None of them becomes stale: each depends on its key alone, or is dropped together with the value
 * from which it was computed. A test finds those that are created when a module is loaded.
 */
export const MEMOS: readonly MemoRow[] = [
  {
    path: 'libs/client/src/entities/entity-tags.ts',
    holds: 'in the programs of clients: the tags (`ETag`) of the instances that they have read',
    bound: 'key: the instance; an entry ends with it',
  },
  {
    path: 'libs/events/src/amqp/topology.ts',
    holds: 'the declarations of exchanges and queues that are in progress, which subscriptions share',
    bound: 'key: the connection and the name; an entry ends with the declaration',
  },
  {
    path: 'libs/telemetry/src/watchdog/work-under-way.ts',
    holds: 'the requests in progress, for the log entry about a blocked event loop',
    bound: 'an entry exists from the begin of a request to the end of its response',
  },
  {
    path: 'libs/security/src/access/access-directory.ts',
    holds: 'the access that a set of resource roles gives',
    bound: 'key: the registry of roles (the cache `roles`) and the codes; dropped with the registry; 1,000 sets',
  },
  {
    path: 'libs/history/src/recorded.ts',
    holds: 'the tables and dynamic attributes whose changes are recorded',
    bound: 'key: the entities of a version of the model, and the version; an entry ends with them',
  },
  {
    path: 'libs/reading/src/access/load-access.ts',
    holds: 'the read access of a set of roles, with its fingerprint',
    bound: 'key: the registry of roles and the codes; dropped with the registry; 1,000 sets',
  },
  {
    path: 'libs/reading/src/access/row-rules.ts',
    holds: 'the parsed row-level policies of a registry of roles',
    bound: 'key: the registry of roles; dropped with it',
  },
  {
    path: 'services/reports/src/definitions/stored-reports.ts',
    holds: 'the compiled templates of the reports in the database',
    bound: 'key: the snapshot of the reports (the cache `reports`); dropped with it',
  },
  {
    path: 'services/reports/src/definitions/report-catalogue.ts',
    holds: 'the reports of the application and their compiled templates',
    bound: 'fixed by the code of the application; one entry for each of its reports',
  },
  {
    path: 'libs/entities/src/write/scope/item-paths.ts',
    holds: 'the errors of refused saves whose items already have their final paths',
    bound: 'key: the error; dropped with it',
  },
  {
    path: 'libs/metadata/src/entities/ownerships.ts',
    holds: 'the compositions by the entity of their children',
    bound: 'key: the entities of a version of the model; dropped with them',
  },
  {
    path: 'libs/entities/src/write/model/write-model.ts',
    holds: 'the model in the form for writes: columns, tables, statements and references of each entity',
    bound: 'key: the version of the model; dropped with it',
  },
  {
    path: 'libs/entities/src/write/graph/merge-values.ts',
    holds: 'the values of new instances of an entity before those of the request',
    bound: 'key: the layout of the entity; dropped with the model',
  },
  {
    path: 'libs/entities/src/write/graph/unique-keys.ts',
    holds: 'the unique attributes, unique indexes and exclusions of an entity',
    bound: 'key: the layout of the entity; dropped with the model',
  },
  {
    path: 'libs/entities/src/write/validate/assert-files-kept.ts',
    holds: 'whether a layout of the write model has attributes with files',
    bound: 'key: the layout; an entry ends with the write model',
  },
  {
    path: 'libs/entities/src/write/validate/test-rules.ts',
    holds: 'the collections that the rules of an entity read',
    bound: 'key: the entity; dropped with the model',
  },
  {
    path: 'libs/entities/src/write/run/current-write-dependencies.ts',
    holds: 'the dependencies of writes, bound to the current model',
    bound: 'key: the dependencies; one entry, replaced when the model changes',
  },
  {
    path: 'libs/entities/src/write/validate/check-rule.ts',
    holds: 'the compiled regular expressions of validation rules',
    bound: 'key: the pattern; one entry for each pattern in the model',
  },
  {
    path: 'libs/reading/src/paging/create-cursor-codec.ts',
    holds: 'the keys that decrypt cursors of other processes',
    bound: 'key: the salt in the cursor; 100 keys',
  },
  {
    path: 'services/data/src/openapi/explorer/explorer-files.ts',
    holds: 'the files of the API explorer',
    bound: 'key: the name of a file; 14 files',
  },
  {
    path: 'libs/documents/src/rendering/xlsx/writing/cell-value.ts',
    holds: 'the tokens of the formulas in a template',
    bound: 'the compiled template; goes with it',
  },
  {
    path: 'libs/documents/src/rendering/xlsx/writing/band-lines.ts',
    holds: 'the lines of a band in a template',
    bound: 'the compiled template; goes with it',
  },
  {
    path: 'libs/metadata/src/messages/format-message.ts',
    holds: 'the parsed form of texts with parameters',
    bound: 'key: the locale and the text; 2,000 texts',
  },
  {
    path: 'libs/metadata/src/messages/display.ts',
    holds: 'the functions that format values in a locale',
    bound: 'key: the messages (the cache `messages`) and the locale; dropped with the messages',
  },
  {
    path: 'libs/metadata/src/messages/locale-formats.ts',
    holds: 'the formats of a locale',
    bound: 'key: the locale; 200 locales',
  },
  {
    path: 'libs/metadata/src/messages/patterns/format-decimal.ts',
    holds: 'the parsed patterns of numbers',
    bound: 'key: the pattern; 1,000 patterns',
  },
  {
    path: 'libs/query/src/resolve/language/self.ts',
    holds: 'the variable that refers to the instance in a policy',
    bound: 'key: the entity; dropped with the model',
  },
  {
    path: 'libs/query/src/compile/compile-read.ts',
    holds: 'whether the shape stage must complete objects of a plan',
    bound: 'key: the plan; dropped with the entry of the cache `statements`',
  },
  {
    path: 'libs/application/src/json-schemas/check-json.ts',
    holds: 'the compiled form of the JSON Schema of an attribute',
    bound: 'key: the schema of the model; dropped with it; one for each JSON attribute',
  },
  {
    path: 'libs/application/src/services/rest-service.ts',
    holds: 'the options of service methods that decorators declare',
    bound: 'fixed by the code of the application',
  },
  {
    path: 'libs/cache/src/caches/cache-declaration.ts',
    holds: 'the declarations of this page',
    bound: 'fixed by the code',
  },
  {
    path: 'libs/persistence/src/connection/statements/statement-batch.ts',
    holds: 'the columns of prepared statements',
    bound: 'key: the connection and the name of the statement; dropped with the connection',
  },
  {
    path: 'libs/persistence/src/typeorm/open-data-source.ts',
    holds: 'the metadata that TypeORM builds for the entities of a model',
    bound: 'key: the entities of the model; dropped with them',
  },
  {
    path: 'libs/http/src/health/draining.ts',
    holds: 'the listeners that are being stopped',
    bound: 'key: the listener; dropped with it',
  },
  {
    path: 'libs/documents/src/rendering/xlsx/parts/edit-drawings.ts',
    holds: 'the pictures and charts of a sheet',
    bound: 'key: the sheet of a template; an entry ends with it',
  },
];
