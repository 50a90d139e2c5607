import {
  type AttributeInfo,
  type Connection,
  createAboutClient,
  createEntityClient,
  type EntityClient,
  type EntityInfo,
  type UntypedApi,
} from '@lintel/client';

/** How a resource of a page is read. */
export interface ResourceOptions {
  /** The entity whose instances are its records. */
  readonly entity: string;
  /** What a record shows: the name of a fetch plan or a plan as a literal; everything but far collections without it. */
  readonly fetchPlan?: string | object | undefined;
  /** The same for the records of lists; attributes with one value without it. */
  readonly listPlan?: string | object | undefined;
  /** The texts in which `q` searches; all texts of the entity without it. */
  readonly searched?: readonly string[] | undefined;
}

/** The resources of a page by their names; a resource that is not listed is the entity of its name. */
export type Resources = Readonly<Record<string, string | ResourceOptions>>;

/** Where the records come from. */
export interface ProviderOptions {
  /** The client of the application, or another object with its connection. */
  readonly client: { readonly connection: Connection };
  readonly resources?: Resources | undefined;
}

/** A resource with what the service says about its entity. */
export interface Resource {
  readonly name: string;
  readonly entity: EntityInfo;
  readonly fetchPlan: object;
  readonly listPlan: object;
  readonly searched: readonly string[];
}

/** The records of an application. */
export interface RecordModel {
  readonly entities: EntityClient<UntypedApi>;
  /** @throws Error if the user sees no such entity */
  resource(name: string): Promise<Resource>;
  /** The entity of references and children. */
  entityInfo(name: string): EntityInfo | undefined;
}

/** The entity of a resource. */
export function entityOf(resources: Resources | undefined, name: string): string {
  const given = resources?.[name] ?? name;
  return typeof given === 'string' ? given : given.entity;
}

/** The records of an application, by its metadata, which are read with the first request. */
export function createRecordModel({ client: { connection }, resources }: ProviderOptions): RecordModel {
  const about = createAboutClient(connection);
  let reading: Promise<ReadonlyMap<string, EntityInfo>> | undefined;
  let infos: ReadonlyMap<string, EntityInfo> = new Map();

  function read(): Promise<ReadonlyMap<string, EntityInfo>> {
    reading ??= about.metadata.entities().then(
      (entities) => {
        infos = new Map(entities.map((entity) => [entity.entityName, entity]));
        return infos;
      },
      (error: unknown) => {
        // After a failure the next request reads them again.
        reading = undefined;
        throw error;
      },
    );
    return reading;
  }

  return {
    entities: createEntityClient(connection),
    async resource(name) {
      const entityName = entityOf(resources, name);
      const entity = (await read()).get(entityName);
      if (entity === undefined)
        throw new Error(`The resource ${name} is the entity ${entityName}, which does not exist`);
      const given = resources?.[name];
      const { fetchPlan, listPlan, searched } = typeof given === 'object' ? given : ({} as Partial<ResourceOptions>);
      return {
        name,
        entity,
        fetchPlan: planAsObject(fetchPlan) ?? wholePlan(entity),
        listPlan: planAsObject(listPlan) ?? singlePlan(entity),
        searched: searched ?? entity.properties.filter(isText).map(({ name: attribute }) => attribute),
      };
    },
    entityInfo: (name) => infos.get(name),
  };
}

/** A named plan as a plan that shows the same. */
const planAsObject = (plan: string | object | undefined): object | undefined =>
  typeof plan === 'string' ? { $extends: plan } : plan;

const isText = ({ attributeType, type, persistent, cardinality }: AttributeInfo): boolean =>
  attributeType === 'DATATYPE' && type === 'string' && persistent && cardinality === 'NONE';

/** All attributes: of references the names, of children and embedded objects what they have themselves. */
const wholePlan = ({ properties }: EntityInfo): object =>
  Object.fromEntries(
    properties.map(({ name, attributeType }) => [
      name,
      attributeType === 'COMPOSITION' || attributeType === 'EMBEDDED' ? '_local' : true,
    ]),
  );

/** The attributes with one value. */
const singlePlan = ({ properties }: EntityInfo): object =>
  Object.fromEntries(
    properties
      .filter(({ cardinality }) => !cardinality.endsWith('_TO_MANY'))
      .map(({ name, attributeType }) => [name, attributeType === 'EMBEDDED' ? '_local' : true]),
  );
