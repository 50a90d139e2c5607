import type { ApiTypes, EntityName, InstanceOf, Name, PlanName, TargetOf, TypesOf } from '../model/api-types.ts';
import type { Filter, Sort } from './criteria.ts';

/** The name of a fetch plan, or a plan as a literal. */
export type FetchPlan<A extends ApiTypes, E> =
  | PlanName<A, E>
  | (unknown extends TypesOf<A, E>['attributes'] ? object : InlinePlan<A, E>);

/**
 * A fetch plan as a literal: `{ number: true, customer: { name: true }, lines: '_local' }`. `true` shows an attribute,
 * of a reference its name and id. `$extends` adds what a named plan shows. In the plan of a collection `$filter`, `$q`,
 * `$sort`, `$limit` and `$offset` choose its members, `$count` counts them; `$depth` shows children in a tree to so many levels.
 */
export type InlinePlan<A extends ApiTypes, E> = {
  readonly [K in Name<InstanceOf<A, E>>]?: true | NestedPlan<A, TargetOf<A, E, K>>;
} & { readonly $extends?: PlanName<A, E> };

type NestedPlan<A extends ApiTypes, To> = [To] extends [never]
  ? never
  : PlanName<A, To> | (InlinePlan<A, To> & MemberSelection<A, To>);

interface MemberSelection<A extends ApiTypes, To> {
  readonly $filter?: Filter<A, To>;
  readonly $q?: string;
  readonly $sort?: Sort<A, To>;
  readonly $limit?: number;
  readonly $offset?: number;
  readonly $count?: boolean;
  readonly $depth?: number;
}

/** Refuses attributes that do not exist, at every level. */
export type CheckedPlan<A extends ApiTypes, E, P> = unknown extends TypesOf<A, E>['attributes']
  ? P
  : P extends object
    ? {
        readonly [K in keyof P]: K extends '$extends' | keyof MemberSelection<A, E> | keyof InstanceOf<A, E>
          ? P[K] extends object
            ? K extends keyof MemberSelection<A, E>
              ? P[K]
              : CheckedPlan<A, TargetOf<A, E, K>, P[K]>
            : P[K]
          : never;
      }
    : P;

/** An instance as a plan shows it; without a plan, any attribute may be there. */
export type Shown<A extends ApiTypes, E extends EntityName<A>, P> = unknown extends P | TypesOf<A, E>['attributes']
  ? InstanceOf<A, E>
  : [P] extends [undefined]
    ? InstanceOf<A, E>
    : ShownBy<A, E, P>;

type ShownBy<A extends ApiTypes, E, P> = P extends string
  ? PlanOf<A, E, P>
  : P extends { readonly $extends: infer Base }
    ? Omit<PlanOf<A, E, Base>, keyof P> & Attributes<A, E, P>
    : Identity<A, E> & Attributes<A, E, P>;

type PlanOf<A extends ApiTypes, E, P> = E extends keyof A['entities']
  ? P extends keyof A['entities'][E]['plans']
    ? A['entities'][E]['plans'][P]
    : InstanceOf<A, E>
  : InstanceOf<A, E>;

/** What every plan of an entity shows; embedded objects have no identity. */
type Identity<A extends ApiTypes, E> = E extends keyof A['entities']
  ? Pick<Required<InstanceOf<A, E>>, Extract<'_entityName' | 'id', keyof InstanceOf<A, E>>> &
      Pick<InstanceOf<A, E>, Extract<'_instanceName', keyof InstanceOf<A, E>>>
  : unknown;

type Attributes<A extends ApiTypes, E, P> = {
  readonly [K in keyof P & keyof InstanceOf<A, E> as Exclude<K, keyof Identity<A, E>>]?: Attribute<
    A,
    TargetOf<A, E, K>,
    InstanceOf<A, E>[K],
    P[K]
  >;
};

/** The value of an attribute; null stays null, a collection a collection. */
type Attribute<A extends ApiTypes, To, V, P> = [To] extends [never]
  ? V
  : V extends readonly unknown[]
    ? readonly Reference<A, To, P>[]
    : V extends object
      ? Reference<A, To, P>
      : V;

type Reference<A extends ApiTypes, To, P> = P extends true
  ? To extends keyof A['entities']
    ? Identity<A, To> & TypesOf<A, To>['instance']
    : TypesOf<A, To>['instance']
  : ShownBy<A, To, P>;
