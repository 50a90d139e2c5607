import type { Application } from '@lintel/application';
import type { EXPORT_TYPES, Principal } from '@lintel/contracts';
import { type Display, displayIn, type Messages, type Model } from '@lintel/metadata';
import type { EncryptToken, ParseOptions, ReadAccess, ResultBounds, TableForm } from '@lintel/query';
import type { AccessOf, RoleRegistry } from '@lintel/security';
import { createAccessSource } from './access/load-access.ts';
import type { AccessLog, Reader } from './access-log/create-access-log.ts';
import type { LimitsOf } from './limits/request-limits.ts';
import type { CursorCodec } from './paging/create-cursor-codec.ts';
import type { ReplicaReads } from './replicas/create-replica-reads.ts';
import type { TokenCodec } from './security-token/create-token-codec.ts';
import type { ReadDatabase } from './statements/measured-database.ts';
import { StatementCache } from './statements/statement-cache.ts';

/** What a caller may read, and the values that row conditions refer to. */
export interface CallerAccess {
  readonly read: ReadAccess;
  /** Value of a row condition's parameter (`current_user_country`); undefined if there is none. */
  readonly sessionValue: (name: string) => unknown;
  /** Locale of instance names; `''` for the default texts. */
  readonly locale: string;
  /** `read` for histories and exports: personal attributes are hidden from callers without the permission. */
  readonly masked?: () => ReadAccess;
  /** Makes the security tokens of the response; absent where it has none. */
  readonly encryptToken?: EncryptToken;
  /** Who reads, for the access log; absent where nothing is recorded (`unrecorded`). */
  readonly reader?: Reader | undefined;
}

/** The access with which histories and exports are read (contract/personal-data.md#masks); it may be the same. */
export const maskedAccess = (access: CallerAccess): CallerAccess => {
  const read = access.masked?.() ?? access.read;
  return read === access.read ? access : { ...access, read };
};

/** The form in which a list is written for programs and spreadsheets. */
export type ExportFormat = keyof typeof EXPORT_TYPES;

/** How an export is written (contract/exports.md#parameters). */
export interface ExportForm extends TableForm {
  readonly format: ExportFormat;
  readonly headers: 'names' | 'captions';
  readonly values: 'exact' | 'locale';
}

/** Limits of reading, from the service's configuration. */
export interface ReadLimits {
  /** Maximum `limit` of an entity; also the default if the request has none. */
  maxFetchSize(entityName: string): number;
  /** `svc.rest.inline-fetch-plan-enabled`. */
  readonly inlineFetchPlansEnabled: boolean;
  /** `svc.data.include-null-clause-in-not-conditions`; absent is false. */
  readonly negationsFindNull?: boolean;
  /** `svc.rest.date-time-offset`; absent is `ignore`. */
  readonly dateTimeOffset?: ParseOptions['dateTimeOffset'];
  /** `svc.core.skip-null-or-empty-conditions-by-default`, of the filters of clients; absent is false. */
  readonly skipsEmptyConditions?: boolean;
  /** `svc.rest.max-query-cost`; absent and 0 are none. */
  readonly maxQueryCost?: number;
  /** Time of all statements of one request; undefined is none. */
  readonly timeLimitMs?: number | undefined;
  /** Greatest size of a search body. */
  readonly maxBodyBytes: number;
}

/** The ports and values that reading needs. */
export interface ReadDependencies {
  readonly database: ReadDatabase;
  /** Absent if all reads use the primary. */
  readonly replicaReads?: ReplicaReads | undefined;
  /** The current model; each request reads it once. */
  readonly currentModel: () => Model;
  /** The current texts; each request reads them once. */
  readonly currentMessages: () => Messages;
  /** How instance names format values in a locale, with the current texts. */
  readonly displayIn: (locale: string) => Display;
  /** The same with the dynamic attributes: for requests that include them, and for writes. */
  readonly modelWithDynamicAttributes: () => Promise<Model>;
  /** Decides the read access of a caller. */
  readonly loadAccess: (principal: Principal) => CallerAccess;
  readonly statements: StatementCache;
  readonly cursors: CursorCodec;
  readonly limits: ReadLimits;
  /** The limits of a caller's requests. */
  readonly limitsOf: LimitsOf;
  /** Absent if objects have no security tokens (`svc.core.entity-serialization-token-required`). */
  readonly tokens?: TokenCodec | undefined;
  /** Lists are written in this form instead of JSON. */
  readonly exportAs?: ExportForm | undefined;
}

/**
 * The dependencies of reading lists as exports: without the limits of a page, since their rows are never in memory
 * together, and without personal attributes, unless the caller has the permission for them.
 */
export const exportDependencies = <D extends ReadDependencies>(deps: D, exportAs: ExportForm | undefined): D =>
  exportAs === undefined
    ? deps
    : {
        ...deps,
        exportAs,
        limits: { ...deps.limits, maxFetchSize: () => Number.MAX_SAFE_INTEGER },
        loadAccess: (principal) => maskedAccess(deps.loadAccess(principal)),
      };

/** The access with which a response is read: its objects get security tokens where these are enabled. */
export const responseAccess = (access: CallerAccess, { tokens }: Pick<ReadDependencies, 'tokens'>): CallerAccess =>
  tokens === undefined ? access : { ...access, encryptToken: tokens.encrypt };

/**
 * The dependencies of reading; created once per service.
 *
 * @throws Error naming the row-level policy that cannot be compiled
 */
export const createReadDependencies = (options: {
  readonly application: Pick<Application, 'model' | 'messages'>;
  readonly currentRoles: () => RoleRegistry;
  /** The current texts; without it, the application's own. */
  readonly currentMessages?: () => Messages;
  readonly accessOf: AccessOf;
  readonly database: ReadDatabase;
  readonly replicaReads?: ReplicaReads | undefined;
  readonly cursors: CursorCodec;
  readonly limits: ReadLimits;
  readonly limitsOf: LimitsOf;
  /** Limits of the collections in a row; none without it. */
  readonly bounds?: ResultBounds | undefined;
  readonly tokens?: TokenCodec | undefined;
  /** Called once for each unknown row-level role that a caller has: it hides everything. */
  readonly onUnknownRole?: (code: string) => void;
  /** Without it there are none. */
  readonly modelWithDynamicAttributes?: () => Promise<Model>;
  /** Absent where no entity has an access log. */
  readonly accessLog?: AccessLog | undefined;
}): ReadDependencies => {
  const currentMessages = options.currentMessages ?? (() => options.application.messages);
  const { accessLog } = options;
  const loadAccess = createAccessSource(
    options.application.model,
    options.currentRoles,
    options.accessOf,
    options.onUnknownRole,
  );
  return {
    database: options.database,
    replicaReads: options.replicaReads,
    currentModel: () => options.application.model,
    modelWithDynamicAttributes: options.modelWithDynamicAttributes ?? (async () => options.application.model),
    currentMessages,
    displayIn: (locale) => displayIn(currentMessages(), locale),
    loadAccess:
      accessLog === undefined
        ? loadAccess
        : (principal) => ({ ...loadAccess(principal), reader: { log: accessLog, principal } }),
    statements: new StatementCache(options.bounds),
    cursors: options.cursors,
    limits: options.limits,
    limitsOf: options.limitsOf,
    tokens: options.tokens,
  };
};
