import { type Attribute, type Datatype, type Display, enumerationOf, type Model } from '@lintel/metadata';
import type { TextFormat } from '../read-plan.ts';

/**
 * The format of a value in an instance name: enums by their caption, numbers, dates and booleans in the format
 * of the locale (contract/instances.md#instance-name). Undefined for values that are the same in every locale.
 */
export function displayFormat(attribute: Attribute, model: Model, display: Display): TextFormat | undefined {
  if (attribute.kind === 'enum') {
    const { name, values } = enumerationOf(model, attribute.enumName);
    const captions = values.map((value) => ({ id: value.id, text: display.captions.constant(name, value.name) }));
    return { kind: 'captions', captions };
  }
  if (attribute.kind !== 'datatype') return undefined;
  const format = datatypeFormat(attribute.datatype, display);
  return format?.kind === 'temporal' && attribute.unbounded === true ? { ...format, unbounded: true } : format;
}

function datatypeFormat(datatype: Datatype, display: Display): TextFormat | undefined {
  switch (datatype) {
    case 'boolean':
      return {
        kind: 'captions',
        captions: [
          { id: true, text: display.trueText },
          { id: false, text: display.falseText },
        ],
      };
    case 'short':
    case 'int':
    case 'long':
    case 'bigInteger':
      return { kind: 'number', number: 'integer', symbols: display.symbols };
    case 'decimal':
      return { kind: 'number', number: 'decimal', symbols: display.symbols };
    case 'float':
    case 'double':
      return { kind: 'number', number: 'floating', symbols: display.symbols };
    case 'date':
    case 'localDate':
      return { kind: 'temporal', datatype, pattern: display.temporals.date };
    case 'dateTime':
    case 'localDateTime':
      return { kind: 'temporal', datatype, pattern: display.temporals.dateTime };
    case 'time':
    case 'localTime':
      return { kind: 'temporal', datatype, pattern: display.temporals.time };
    case 'offsetDateTime':
      return { kind: 'temporal', datatype, pattern: display.temporals.offsetDateTime };
    case 'offsetTime':
      return { kind: 'temporal', datatype, pattern: display.temporals.offsetTime };
    case 'string':
    case 'char':
    case 'uuid':
    case 'uri':
    case 'fileRef':
    case 'byteArray':
    case 'json':
      return undefined;
    default:
      return datatype satisfies never;
  }
}
