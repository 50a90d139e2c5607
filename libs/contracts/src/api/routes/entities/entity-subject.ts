import { inPath, inQuery, type ParameterDescription, ref, type Schema } from '../../route-description.ts';
import { DELETED } from '../parameters.ts';

/** What the model says of an entity, for people. */
export interface EntityTexts {
  /** Ends summaries: ` of sales_Order`. */
  readonly name: string;
  /** Further sentences by operation; none where the texts of any entity are enough. */
  readonly reading: string;
  readonly creating: string;
  readonly updating: string;
  readonly deleting: string;
}

/** What the routes of the entity API are described for: any entity, or one of the model. */
export interface EntitySubject {
  /** Segment of the path: `{entityName}`, or a name. */
  readonly segment: string;
  /** The parameters of that segment. */
  readonly parameters: readonly ParameterDescription[];
  readonly entityId: ParameterDescription;
  /** Of an id in JSON. */
  readonly id: Schema;
  /** Of its instances. */
  readonly schema: Schema;
  /** Of instances that are created, and of those in a list that are changed. */
  readonly created: Schema;
  readonly identified: Schema;
  /** End of the operation ids, which are unique in a document. */
  readonly suffix: string;
  /** Instances can be soft-deleted. */
  readonly hasBin: boolean;
  readonly tags: { readonly entities: string; readonly search: string };
  /** Texts of one entity; without them those of any. */
  readonly texts?: EntityTexts;
  readonly examples?: {
    /** As in responses. */
    readonly instance?: unknown;
    /** As it is sent to be created. */
    readonly creation?: unknown;
    readonly search?: unknown;
    /** In JSON. */
    readonly id?: unknown;
  };
}

/** Every entity, by its name in the path. */
export const anyEntity = (examples: { readonly entityName?: string } = {}): EntitySubject => ({
  segment: '{entityName}',
  parameters: [entityNameParameter(examples.entityName)],
  entityId: inPath('entityId', 'Id; composite ids as base64url of their JSON object'),
  id: ref('EntityId'),
  schema: ref('Entity'),
  created: ref('Entity'),
  identified: ref('Entity'),
  suffix: '',
  hasBin: true,
  tags: { entities: 'Entities', search: 'Search' },
  examples: { creation: { name: 'Example' } },
});

/** The parameter that reads soft-deleted instances, where there are some. */
export const deletedOf = ({ hasBin }: EntitySubject): readonly ParameterDescription[] => (hasBin ? [DELETED] : []);

/** The parameter that removes soft-deleted instances for good. */
export const purgeOf = ({ hasBin }: EntitySubject): readonly ParameterDescription[] =>
  hasBin
    ? [
        inQuery('deleted', 'Removes soft-deleted instances for good; needs the specific policy `bin.purge`', {
          type: 'string',
          enum: ['only'],
        }),
      ]
    : [];

/** Where the texts of any entity are enough. */
export const ANY_TEXTS: EntityTexts = { name: '', reading: '', creating: '', updating: '', deleting: '' };

/** A description of the sentences that are there. */
export const sentences = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join(' ');

/** The parameter of all routes that begin with an entity. */
export const entityNameParameter = (example?: string): ParameterDescription => ({
  ...inPath('entityName', 'Name of an entity of the application'),
  ...(example === undefined ? {} : { example }),
});

/** The member `example`, if there is one. */
export const exampleOf = (example: unknown): { readonly example?: unknown } =>
  example === undefined ? {} : { example };
