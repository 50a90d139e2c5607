import type { DataManager, EntityListener } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import type { Entity, Messages, Model } from '@lintel/metadata';
import type { Transaction } from '@lintel/persistence';
import type { ReadAccess } from '@lintel/query';
import type { IdSource } from '@lintel/reading';
import type { Access, AccessOf, RoleHolder } from '@lintel/security';
import type { Clock } from '@lintel/timing';
import type { WriteModel } from '../model/write-model.ts';
import type { InstanceInput } from '../parse/instance-input.ts';
import type { StoredRow } from '../rows/rows.ts';
import type { Localize } from '../values/messages.ts';
import type { Key } from '../values/value.ts';
import type { ChangeLog } from './change-log.ts';
import type { ErrorAccess } from './error-access.ts';
import type { ScopeEvents } from './scope-events.ts';
import type { ScopeJobs } from './scope-jobs.ts';
import type { ScopeMails } from './scope-mails.ts';

/** The entity listeners of a service (`listeners/listener-index.ts`). */
export interface Listeners {
  /** Those of an entity and its ancestors, in the order of the application. */
  of(model: Model, entity: Entity): readonly EntityListener[];
}

/** Rules for new passwords: `createPasswordPolicy` of `@lintel/passwords`. */
export interface PasswordPolicy {
  readonly minLength: number;
  /** @param personal words of the user */
  weaknessOf(
    password: string,
    personal: readonly string[],
  ): 'too-short' | 'common' | 'predictable' | 'personal' | undefined;
}

/** One transaction that writes, and the state shared by all code in it. */
export interface WriteScope {
  readonly model: Model;
  /** The same version of the model, as writes need it. */
  readonly writeModel: WriteModel;
  readonly transaction: Transaction;
  /** Written to the audit attributes and the events. */
  readonly username: string;
  readonly kind: Writer['kind'];
  /** The user of a caller, and the client that acts for it. */
  readonly writer: Pick<Writer, 'userId' | 'clientId'>;
  /** Whether who writes has a specific permission. */
  readonly hasSpecific: (permission: string) => boolean;
  /** What who writes may read; the application itself reads everything. */
  readonly readAccess: () => ReadAccess;
  /** `YYYY-MM-DDTHH:mm:ss.SSS` in UTC: one moment for the whole transaction. */
  readonly now: string;
  readonly ids: IdSource;
  readonly hashPassword: (text: string) => Promise<string>;
  /** The rules for new passwords of users; absent where the application itself chooses them. */
  readonly passwordPolicy?: PasswordPolicy | undefined;
  readonly listeners: Listeners;
  /** Queues runs of the jobs of the application; absent if it has none. */
  readonly jobs?: ScopeJobs | undefined;
  /** The events that the application may publish. */
  readonly events: ScopeEvents;
  /** Queues the mails of the application; absent if it has none. */
  readonly mails?: ScopeMails | undefined;
  /** The data API of listeners: inside this transaction, without the caller's limits. */
  readonly dataFor: (scope: WriteScope) => DataManager;
  /** The instances written so far; the version of an instance is incremented once per transaction. */
  readonly changes: ChangeLog;
  /** The parts of the model that errors may name. */
  readonly errorAccess: ErrorAccess;
  /** Texts of violated rules, in the caller's language. */
  readonly localize: Localize;
  /**
   * Statements are sent without waiting for their results, and checks that the database does itself are skipped. If it
   * refuses a statement, the transaction runs again with this flag off, which determines the error for the client.
   * Always off for application code, which reads what it has written.
   */
  readonly isPipelined: boolean;
  /** The transaction is rolled back at its end. */
  readonly isRehearsal?: boolean;
  /** Nesting depth of listener calls; limited, since listeners may change the entities they listen to. */
  readonly depth: number;
}

/** The dependencies from which a service creates its scopes. */
export type WriteEnvironment = Pick<
  WriteScope,
  'model' | 'ids' | 'hashPassword' | 'passwordPolicy' | 'listeners' | 'jobs' | 'events' | 'mails' | 'dataFor'
> & {
  readonly clock: Clock;
  /** The writes are parts of a transaction that is rolled back at its end. */
  readonly isRehearsal?: boolean;
  readonly accessOf: AccessOf;
  readonly loadAccess: (caller: Principal) => { readonly read: ReadAccess };
  /** The current texts. */
  readonly currentMessages: () => Messages;
};

/** Who writes, and the language of violations. */
export interface Writer {
  readonly username: string;
  /** Id of a caller that is a user. */
  readonly userId?: string | null;
  /** Of a caller: whose later reads show the write. */
  readonly sessionId?: string;
  /** Of a caller: the client that acts for the user, and the service that does. */
  readonly clientId?: string;
  readonly actingService?: string | undefined;
  /** Set for a caller; absent if the application itself writes. */
  readonly kind?: RoleHolder['kind'];
  readonly resourceRoles?: readonly string[];
  /** Strength of the login of a caller. */
  readonly acr?: string | undefined;
  /** Null for the default texts. */
  readonly locale: string | null;
}

/** The actions that row-level policies restrict. */
export type RowAction = 'create' | 'update' | 'delete';

/** `stored`: before the change, of updates and deletions. `new`: after it, of creations and updates. */
export type RowState = 'stored' | 'new';

/** A row that is written. */
export interface RowWrite {
  readonly action: RowAction;
  /** The concrete entity. */
  readonly entity: Entity;
  readonly key: Key;
}

/** The rights that a save enforces. Listeners and the demo data have none of these limits. */
export interface WriteRights {
  /** Absent: everything is allowed. */
  readonly access?: Access;
  /** Refuses what would be ignored or emptied without being named. */
  readonly isStrict?: boolean;
  /** Children without an id are those with the same unique attributes (contract/writing.md#upsert-children). */
  readonly findsChildren?: boolean;
  /** Keys of the instances that the caller may see under its row conditions; absent if there are no conditions. */
  readonly visibleKeys?: ((entity: string, keys: readonly Key[]) => Promise<ReadonlySet<string>>) | undefined;
  /** Whether the caller sees the target of a to-one reference of a stored instance: a deleted target is visible too. */
  readonly showsReference?: (entity: Entity, key: Key, path: string, target: string) => Promise<boolean>;
  /** The permitted targets of references if read policies apply to writes; absent if every instance is permitted. */
  readonly referable?: {
    /** Whether row-level policies may hide instances of the entity. */
    readonly isBound: (entity: string) => boolean;
    readonly visibleKeys: (entity: Entity, keys: readonly Key[]) => Promise<ReadonlySet<string>>;
  };
  /**
   * Tests the row-level policies for writes on rows in their current state in the transaction; absent if the caller has
   * none. Called before the rows are changed and after it.
   *
   * @throws PlatformError ACCESS_DENIED if one is violated
   */
  readonly assertRows?: ((state: RowState, rows: readonly RowWrite[]) => Promise<void>) | undefined;
  /** Bounds changes of users, assignments and roles by the rights of the caller; absent if they are unlimited. */
  readonly delegation?:
    | {
        readonly isBound: (entity: Entity) => boolean;
        /** Called as `assertRows` is, with rows of bound entities. */
        readonly assertRows: (state: RowState, rows: readonly RowWrite[]) => Promise<void>;
      }
    | undefined;
  /** The keys of files that the caller may not read; absent if references are sufficient. */
  readonly unreadableFiles?: ((fileRefs: readonly string[]) => Promise<ReadonlySet<string>>) | undefined;
  /**
   * Requires the security token of a stored instance that is changed.
   *
   * @param parentPath the child's reference to its parent, of a composition child
   * @throws PlatformError ACCESS_DENIED if a required token is missing
   */
  readonly assertToken?:
    | ((input: InstanceInput, stored: StoredRow, parentPath: string | undefined) => void)
    | undefined;
}

/** No limits. */
export const UNLIMITED: WriteRights = Object.freeze({});

/** Which of the two wordings an error of the save has (contract/errors.md#17). */
export type WriteAction = 'create' | 'update';
