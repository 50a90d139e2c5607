import type { Application } from '@lintel/application';
import {
  compileRead,
  type ExactObject,
  parseRead,
  planRead,
  type ReadAccess,
  resolveRead,
  type StatementTemplate,
  secureRead,
} from '@lintel/query';
import { filterOf, READ_MEMBERS } from '../operations/reads.ts';

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export type ReadName = keyof typeof READ_MEMBERS;

const FULL_ACCESS: ReadAccess = {
  fingerprint: 'full',
  entity: () => ({ canRead: true, mayView: () => true, rows: undefined, predicates: [] }),
};

/** Parameters of each statement, as the yardsticks give them. */
const PARAMETERS: Readonly<Record<ReadName, readonly StatementTemplate['sources'][number]['kind'][]>> = {
  R1: ['id'],
  R2: ['limit', 'offset'],
  R3: ['limit', 'offset'],
  R4: ['input', 'input', 'input', 'limit', 'offset'],
  R5: ['limit', 'offset'],
};

/**
 * The statements that the platform runs for a caller with full access, so that yardsticks answer the same
 * bytes with the same work of the database.
 *
 * @throws Error when a statement has other parameters than the yardsticks give it
 */
export function readStatements({ model }: Application): Readonly<Record<ReadName, NamedText>> {
  const compile = (name: ReadName): NamedText => {
    const filter = filterOf('NEW', 1, 'A');
    const members: ExactObject =
      name === 'R4' ? { ...READ_MEMBERS.R4, filter: JSON.stringify(filter) } : READ_MEMBERS[name];
    const operation = name === 'R1' ? 'instance' : 'list';
    const request = { operation, entityName: 'sales_Order', members } as const;
    const parsed = parseRead(request, { inlineFetchPlansEnabled: true });
    const plan = planRead(secureRead(resolveRead(parsed, model), FULL_ACCESS), { limited: true });
    const { text, sources } = compileRead(plan);
    const kinds = sources.map(({ kind }) => kind);
    if (kinds.join() !== PARAMETERS[name].join())
      throw new Error(
        `${name}: the statement takes ${kinds.join(', ')}; the yardsticks give ${PARAMETERS[name].join(', ')}`,
      );
    return { name: `yardstick_${name.toLowerCase()}`, text };
  };
  return { R1: compile('R1'), R2: compile('R2'), R3: compile('R3'), R4: compile('R4'), R5: compile('R5') };
}
