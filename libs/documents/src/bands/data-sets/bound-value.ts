import type { DatasetValue } from '@lintel/contracts';
import type { TemporalKind } from '@lintel/metadata';
import { ReportFailure } from '../../report-failure.ts';
import type { Cell } from '../cell.ts';

const TEMPORALS: Readonly<Record<TemporalKind, string>> = {
  date: 'localDate',
  time: 'localTime',
  dateTime: 'localDateTime',
  offsetDateTime: 'offsetDateTime',
  offsetTime: 'offsetTime',
};

/** Converts a value for a data set: an instance to its id. A text has no type: it takes the type of its comparison. */
export function boundValue(cell: Cell): DatasetValue {
  if (cell.kind === 'list') {
    const items = cell.cells.map(boundValue);
    const type = items.find((item) => item.type !== undefined)?.type;
    const texts = cell.cells.flatMap((item) => boundText(item) ?? []);
    return { ...(type === undefined ? {} : { type }), value: texts };
  }
  const type = typeOf(cell);
  return { ...(type === undefined ? {} : { type }), value: boundText(cell) };
}

function typeOf(cell: Cell): string | undefined {
  switch (cell.kind) {
    case 'number':
      return 'decimal';
    case 'boolean':
      return 'boolean';
    case 'temporal':
      return TEMPORALS[cell.temporal];
    case 'enum':
      return cell.enumName === '' ? undefined : cell.enumName;
    default:
      return undefined;
  }
}

/** @throws ReportFailure for a value that cannot be a parameter of a query */
export function boundText(cell: Cell): string | null {
  switch (cell.kind) {
    case 'empty':
      return null;
    case 'text':
    case 'number':
    case 'temporal':
      return cell.text;
    case 'boolean':
      return String(cell.value);
    case 'enum':
      return cell.constant;
    case 'instance': {
      const id = cell.value['id'];
      if (id === undefined || id === null) throw new ReportFailure(`The instance ${cell.name} has no id`);
      if (typeof id === 'object' && !('text' in id))
        throw new ReportFailure('An instance with a composite key cannot be a parameter of a query: use its parts');
      return String(id);
    }
    case 'list':
      throw new ReportFailure('A collection of a row above cannot be a parameter of a query');
    default:
      return cell satisfies never;
  }
}
