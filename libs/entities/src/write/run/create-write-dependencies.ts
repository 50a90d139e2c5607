import type { Application, EntityListener } from '@lintel/application';
import type { Delegation, RoleRegistry } from '@lintel/security';
import { createDelegatedRows } from '../authorize/delegated-rows.ts';
import { createRowPolicies } from '../authorize/row-policies.ts';
import { guardListener } from '../listeners/guard-listener.ts';
import { ListenerIndex } from '../listeners/listener-index.ts';
import { platformJobs } from '../scope/platform-jobs.ts';
import { createScopeEvents } from '../scope/scope-events.ts';
import { createScopeJobs } from '../scope/scope-jobs.ts';
import { createScopeMails } from '../scope/scope-mails.ts';
import type { WriteEnvironment } from '../scope/write-scope.ts';
import type { WriteDependencies } from '../write-dependencies.ts';
import { createConstraintTranslator } from './translate-violation.ts';

export interface WriteOptions
  extends Omit<WriteDependencies, 'environment' | 'rowPolicies' | 'delegatedRows' | 'translateViolation'>,
    Pick<WriteEnvironment, 'clock' | 'ids' | 'hashPassword' | 'passwordPolicy' | 'dataFor'> {
  readonly application: Pick<
    Application,
    'id' | 'model' | 'listeners' | 'jobs' | 'events' | 'mails' | 'restServices' | 'resourceRoles' | 'rowRoles'
  >;
  readonly currentRoles: () => RoleRegistry;
  /** The listeners that guard the entities of the platform; they are called before the listeners of the application. */
  readonly platformListeners: readonly EntityListener[];
  /** The ceiling of what administrators may give; absent if there is none. */
  readonly delegation?: Delegation | undefined;
  /** URL before the type of an event, where its schema is; absent outside of a server. */
  readonly eventSchemas?: string;
}

/** The dependencies of writing; created once per service. */
export function createWriteDependencies({
  application,
  currentRoles,
  platformListeners,
  delegation,
  clock,
  ids,
  hashPassword,
  passwordPolicy,
  dataFor,
  eventSchemas,
  ...shared
}: WriteOptions): WriteDependencies {
  const jobs = createScopeJobs([...(application.jobs ?? []), ...platformJobs(application)]);
  return {
    ...shared,
    environment: {
      model: application.model,
      ids,
      clock,
      accessOf: shared.accessOf,
      loadAccess: shared.read.loadAccess,
      currentMessages: shared.read.currentMessages,
      hashPassword,
      passwordPolicy,
      listeners: new ListenerIndex([...platformListeners, ...(application.listeners ?? []).map(guardListener)]),
      jobs,
      events: createScopeEvents(application, eventSchemas),
      mails: createScopeMails(application.mails, jobs),
      dataFor,
    },
    rowPolicies: createRowPolicies(application.model, currentRoles, shared.readPoliciesBindWrites),
    delegatedRows: delegation && createDelegatedRows(application, delegation),
    translateViolation: createConstraintTranslator(application.model, shared.database),
  };
}
