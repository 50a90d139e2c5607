import { importRule } from '../import-rule.ts';

/** A pipeline whose folders are its stages. */
interface Pipeline {
  /** Folder with `/` at its end. */
  readonly source: string;
  /** From the first stage to the last. */
  readonly stages: readonly string[];
  /** The kind of the other folders: used by all stages, or operations that use the stages. */
  readonly others: 'shared' | 'operations';
  /** Whether types may be imported from later stages. */
  readonly mayImportTypes: boolean;
}

const PIPELINES: readonly Pipeline[] = [
  {
    source: 'libs/query/src/',
    stages: ['parse', 'resolve', 'secure', 'plan', 'compile', 'shape'],
    others: 'shared',
    mayImportTypes: false,
  },
  {
    source: 'libs/entities/src/write/',
    stages: [
      ...['model', 'values', 'graph', 'parse', 'rows', 'scope', 'listeners', 'changes', 'merge', 'validate', 'plan'],
      ...['read-back', 'authorize', 'save', 'run', 'idempotency', 'respond'],
    ],
    others: 'operations',
    mayImportTypes: true,
  },
];

/** The folders of a pipeline are in the order in which a request goes through them. */
export const stageOrder = importRule(
  {
    id: 'stage-order',
    statement: `No stage imports a later one: ${PIPELINES.map(({ source, stages }) => `${source} (${stages.join(' < ')})`).join(', ')}`,
    because: 'a stage may use the stages before it, and must not depend on those after it',
  },
  ({ file, statement, target }) => {
    if (file.isTest || target.kind !== 'file') return undefined;
    const pipeline = PIPELINES.find(({ source }) => file.path.startsWith(source));
    if (pipeline === undefined || (pipeline.mayImportTypes && statement.isTypeOnly)) return undefined;
    const from = stageOf(file.path, pipeline);
    const to = stageOf(target.path, pipeline);
    if (from === undefined || to === undefined || to.rank <= from.rank) return undefined;
    return `${from.name} imports ${statement.specifier} of ${to.name}`;
  },
);

/** Stages count from 0; what they share comes before them, the operations after them. An index has no rank. */
function stageOf(
  path: string,
  { source, stages, others }: Pipeline,
): { readonly name: string; readonly rank: number } | undefined {
  if (!path.startsWith(source)) return undefined;
  const [name = ''] = path.slice(source.length).split('/', 1);
  if (name === 'index.ts') return undefined;
  const rank = stages.indexOf(name);
  return { name, rank: rank < 0 && others === 'operations' ? stages.length : rank };
}
