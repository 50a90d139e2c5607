import type { Row, World, WorldValue } from './world.ts';

type Test = (values: Readonly<Record<string, WorldValue>>, world: World) => boolean;

interface Policy {
  readonly entity: string;
  readonly actions: readonly ('read' | 'create' | 'update' | 'delete')[];
  readonly test: Test;
  /** A condition of the statement: it applies to the stored row of an update as well. */
  readonly isQuery?: boolean;
}

const valuesOf = (world: World, id: WorldValue | undefined) => world.get(String(id))?.values ?? {};
const isOpen: Test = ({ hidden }) => hidden === false;

/** The row-level roles of the library as plain functions. A condition of SQL is false for null. */
const ROLES: Readonly<Record<string, readonly Policy[]>> = {
  'no-secrets': ['l_Board', 'l_Topic', 'l_Book'].map((entity) => ({ entity, actions: ['read'], test: isOpen })),
  'no-secret-topics': [{ entity: 'l_Topic', actions: ['read'], test: ({ hidden }) => hidden !== true }],
  narrow: [
    { entity: 'l_Shelf', actions: ['read'], test: ({ code }) => code !== 'a' },
    { entity: 'l_Box', actions: ['read'], test: ({ shelf }, world) => valuesOf(world, shelf)['code'] !== 'c' },
    { entity: 'l_Book', actions: ['read'], test: ({ title }) => title !== 'e' },
  ],
  bound: [
    {
      entity: 'l_Board',
      actions: ['create', 'update', 'delete'],
      test: ({ load }) => Number(load ?? 0) <= 4,
      isQuery: true,
    },
    { entity: 'l_Book', actions: ['update', 'delete'], test: ({ title }) => title !== 'c', isQuery: true },
    {
      entity: 'l_Box',
      actions: ['create', 'update'],
      test: ({ shelf }, world) => valuesOf(world, shelf)['code'] !== 'b',
      isQuery: true,
    },
    { entity: 'l_Shelf', actions: ['delete'], test: ({ code }) => code !== 'a', isQuery: true },
  ],
  careful: [
    { entity: 'l_Board', actions: ['create', 'update'], test: ({ load }) => Number(load ?? 0) <= 3 },
    { entity: 'l_Book', actions: ['create', 'update'], test: ({ title }) => title !== 'b' },
    { entity: 'l_Shelf', actions: ['update'], test: ({ width }) => Number(width ?? 0) < 4 },
    { entity: 'l_Shelf', actions: ['delete'], test: ({ code }) => code !== 'b' },
    { entity: 'l_Box', actions: ['delete'], test: ({ name }) => name !== 'c' },
    {
      entity: 'l_Screw',
      actions: ['create', 'update'],
      test: ({ board }, world) => valuesOf(world, board)['label'] !== 'd',
    },
  ],
};

/** The writes that the row-level roles of one caller permit. */
export class Rules {
  private readonly policies: readonly Policy[];

  constructor(roles: readonly string[]) {
    this.policies = roles.flatMap((role) => ROLES[role] ?? []);
  }

  /** Whether rows of the entity may be hidden at all. */
  mayHide(entity: string): boolean {
    return this.policies.some((policy) => policy.entity === entity && policy.actions.includes('read'));
  }

  allows(action: Policy['actions'][number], row: Row, world: World): boolean {
    return this.policies
      .filter((policy) => policy.entity === row.entity && policy.actions.includes(action))
      .every((policy) => policy.test(row.values, world));
  }

  /** Whether a stored row may be changed at all. No condition matches a deleted row. */
  allowsChangeOf(row: Row, world: World): boolean {
    return this.policies
      .filter(({ entity, actions, isQuery }) => isQuery === true && entity === row.entity && actions.includes('update'))
      .every((policy) => !row.isDeleted && policy.test(row.values, world));
  }

  /** A soft-deleted row is in no caller's rows; without rules for the entity every row is permitted. */
  hides(row: Row, world: World): boolean {
    return this.mayHide(row.entity) && (row.isDeleted || !this.allows('read', row, world));
  }
}
