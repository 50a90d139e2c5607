import type {
  AttributeBuilders,
  ChildVisibility,
  EntityDefinition,
  Enumeration,
  Messages,
  Model,
} from '@lintel/metadata';
import type { Condition } from '@lintel/query';
import type { ResourceRole, RowLevelRole } from '@lintel/security';
import type { ControllerDefinition, ErrorHandler } from './controllers/controller.ts';
import type { DemoData } from './demo-data.ts';
import type { EventHandler, OwnEvent } from './events/event.ts';
import type { JobDefinition } from './jobs/job.ts';
import type { EntityListener } from './listener.ts';
import type { MailDefinition } from './mails/mail.ts';
import type { Migration } from './migration.ts';
import type { PredefinedQueries, QueryDefinition } from './queries/query-definition.ts';
import type { ReportDefinition, ReportGroup } from './reports/report.ts';
import type { ServiceDefinition } from './services/service.ts';
import type { ServiceComponent } from './services/service-component.ts';
import type { ServiceUpstream } from './services/service-upstream.ts';
import type { OnLogin } from './sessions/on-login.ts';
import type { SessionAttributes } from './sessions/session-attributes.ts';
import type { JsonVersion } from './transformations/json-version.ts';
import type { JsonTransformer } from './transformations/transformation.ts';

/** The definition of an application: one value that describes all its parts. */
export interface ApplicationDefinition {
  /** Project id, the prefix of entity names: `sales`. */
  readonly id: string;
  /** For people: the title of the API documents. */
  readonly name: string;
  /** Version of its API, for the OpenAPI documents: `1.4.0`. */
  readonly version?: string;
  /** Results of `standardEntity`, `softDeletedEntity`, `keyedEntity`, `keylessEntity`, `embeddable` and `dto`. */
  readonly entities: readonly EntityDefinition[];
  /**
   * Which row-level policies hide the children of compositions that do not choose it with `visibility(…)`: with `owner`
   * those of their owner, in addition to their own.
   */
  readonly compositionVisibility?: ChildVisibility;
  /** Results of `enumeration`. */
  readonly enums?: readonly Enumeration[];
  /**
   * Attributes that the application adds to `sec_User`, in columns that its migrations create. Policies and queries
   * use the values of the caller as `:current_user_<attribute>`; of a reference, the id.
   */
  readonly userAttributes?: AttributeBuilders;
  /**
   * Values that service methods set for the session of the caller (`context.session.set`), with their datatypes.
   * Policies and queries use them as `:session_<attribute>`.
   */
  readonly sessionAttributes?: SessionAttributes;
  /** Sets session attributes at the login of a user. */
  readonly onLogin?: OnLogin;
  /** Roles that grant rights; administrators can add further ones at run time. */
  readonly roles?: readonly ResourceRole[];
  /** Roles that hide rows; administrators can add further ones at run time. */
  readonly rowLevelRoles?: readonly RowLevelRole[];
  /**
   * Services: results of `service(…)`, instances of classes with `@RestService`, components that files of
   * `svc.rest.services-config` expose, and services on servers of the application's own.
   */
  readonly services?: readonly (ServiceDefinition | ServiceComponent | ServiceUpstream | object)[];
  /** Predefined queries written in code; others are in XML resources (`svc.rest.queries-config`). */
  readonly queries?: readonly QueryDefinition[];
  /** Functions that are called when instances change. */
  readonly listeners?: readonly EntityListener[];
  /** Work without a request: results of `job`, which run on a schedule or when they are queued. */
  readonly jobs?: readonly JobDefinition[];
  /** Its own events: results of `event`. */
  readonly events?: readonly OwnEvent[];
  /** Called for events after their commit, once for each: results of `onEvent`. */
  readonly eventHandlers?: readonly EventHandler[];
  /** Results of `mail`: what `data.mails.send` sends. */
  readonly mails?: readonly MailDefinition[];
  /** Paths of the application's own: results of `controller`, `fromExpress` and `upstreamRoute`. */
  readonly controllers?: readonly ControllerDefinition[];
  /** Called one after the other for the response to an error of a service method or a controller. */
  readonly errorHandlers?: readonly ErrorHandler[];
  /** Functions that `svc.rest.json-transformation-config` names if renaming and removing do not suffice. */
  readonly jsonTransformers?: Readonly<Record<string, JsonTransformer>>;
  /** Groups in which reports are listed; a report names its group by the id. */
  readonly reportGroups?: readonly ReportGroup[];
  /** Reports in code; administrators can store further ones. */
  readonly reports?: readonly ReportDefinition[];
  /** Changes of the database schema; their names order them. */
  readonly migrations?: readonly Migration[];
  /** Loaded into an empty database with `svc.demo.enabled`. */
  readonly demoData?: DemoData;
  /**
   * URL of the folder that resource names (`svc.core.fetch-plans-config`, messages, report templates)
   * are relative to, normally `new URL('../resources/', import.meta.url)`.
   */
  readonly resources?: URL;
  /**
   * Base names of its messages files: `messages` names `messages.properties` and
   * `messages_<locale>.properties`. By default `messages`, if there is such a file.
   */
  readonly messageFiles?: readonly string[];
  /** Defaults of `svc.*` properties; files and the environment win over them. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** The application as the services use it: definitions bound to one model. */
export interface Application extends ApplicationDefinition {
  /** The application's entities and the platform's (`sec_User`, `sec_RoleAssignment`). */
  readonly model: Model;
  /** All resource roles by code, built-in ones included. */
  readonly resourceRoles: ReadonlyMap<string, ResourceRole>;
  /** All row-level roles of the application by code. */
  readonly rowRoles: ReadonlyMap<string, RowLevelRole>;
  /** Empty until `loadQueries` has read them: they need the fetch plans. */
  readonly predefinedQueries: PredefinedQueries;
  /** The platform's texts, and those of its messages files once `loadMessages` has read them. */
  readonly messages: Messages;
  /** The services that can be called, by name: those of the code, and of the files that `loadServices` read. */
  readonly restServices: ReadonlyMap<string, ServiceDefinition>;
  /** Earlier versions of the model by the value of `modelVersion`, once `loadTransformations` has read them. */
  readonly modelVersions: ReadonlyMap<string, JsonVersion>;
}

/** A condition in its parsed form; re-exported for applications that build filters in code. */
export type { Condition };
