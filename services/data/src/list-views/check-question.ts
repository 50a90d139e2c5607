import type { Principal, QuestionChart } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { type ExactObject, isExactObject, type NoteUnknown, parseExactJson } from '@lintel/query';
import type { ReadDependencies } from '@lintel/reading';
import { checkAggregates } from '../aggregates/read-aggregates.ts';
import type { ListView } from './list-view.ts';

type AskedView = Pick<ListView, 'entityName' | 'question'>;

/**
 * Checks the question of a view, if it has one, as the request for aggregates that its reader will send
 * (contract/user.md#questions).
 *
 * @throws PlatformError 403 for what the caller may not ask, 400 with the path or member
 */
export function checkQuestion(
  { entityName, question }: AskedView,
  caller: Principal,
  read: ReadDependencies,
  noteUnknown: NoteUnknown,
): void {
  if (!question) return;
  const asked = parseExactJson(question, 'The question');
  if (!isExactObject(asked)) throw new Error('Views keep questions as objects');
  const { chart, ...members } = asked;
  const { aggregates } = checkAggregates({ entityName, members, noteUnknown }, caller, read);
  if (chart !== undefined) checkChart(chart as ExactObject & QuestionChart, aggregates);
}

/** Whether a caller may ask the question of a view. */
export function mayAsk(view: AskedView, caller: Principal, read: ReadDependencies): boolean {
  try {
    checkQuestion(view, caller, read, () => undefined);
    return true;
  } catch (error) {
    // Also of an attribute that the model no longer has.
    if (error instanceof PlatformError && error.status < 500) return false;
    throw error;
  }
}

type Asked = ReturnType<typeof checkAggregates>['aggregates'];

function checkChart({ kind, x, y }: QuestionChart, asked: Asked): void {
  const refuse = (details: string): PlatformError => new PlatformError('REQ_INVALID_PARAMETER', details);
  const { groups = [], values = [] } = asked ?? {};
  const named = (axis: 'x' | 'y', name: string | undefined, list: readonly { readonly name: string }[]): void => {
    const source = axis === 'x' ? 'groupBy' : 'aggregates';
    if (name === undefined ? list.length === 0 : !list.some((each) => each.name === name))
      throw refuse(`question.chart.${axis}: ${name ?? kind} needs a name of '${source}'`);
  };
  named('y', y, values);
  if (kind !== 'number') named('x', x, groups);
  else if (x !== undefined) throw refuse(`question.chart.x: a ${kind} has none`);
}
