import { EXPORT_TYPES } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { isRehearsal, pathParameter, queryOf, type RoutedRequest, singleValue } from '@lintel/http';
import { type ExactObject, isExactObject, parseExactJson } from '@lintel/query';
import { decoderOf } from './csv-rows.ts';
import type { ReceivedImport } from './import-file.ts';
import type { FileForm } from './read-import.ts';

const FORMATS = Object.entries(EXPORT_TYPES) as readonly [FileForm['format'], string][];
const TYPES = Object.values(EXPORT_TYPES).join(' or ');

/**
 * @param contentType of the file
 * @throws PlatformError REQ_UNSUPPORTED_MEDIA_TYPE, REQ_INVALID_PARAMETER
 */
export function receiveImport(request: RoutedRequest, contentType: string): ReceivedImport {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  const format = FORMATS.find(([, own]) => own === type.toLowerCase())?.[0];
  if (format === undefined) throw new PlatformError('REQ_UNSUPPORTED_MEDIA_TYPE', `Content-Type must be ${TYPES}`);
  const charset = parameters.map((each) => /^charset="?([^"]+)"?$/i.exec(each)?.[1]).find((each) => each !== undefined);
  if (charset !== undefined) decoderOf(charset);
  const query = queryOf(request);
  const oneOf = <T extends string>(name: string, values: readonly [T, ...T[]]): T => {
    const value = singleValue(query, name) ?? '';
    const found = value === '' ? values[0] : values.find((each) => each === value);
    if (found !== undefined) return found;
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      `Parameter '${name}' must be ${values.filter((each) => each !== '').join(' or ')}`,
    );
  };
  const key = singleValue(query, 'key');
  const options = {
    entityName: pathParameter(request, 'entityName'),
    mode: oneOf(
      'mode',
      key === undefined ? ['create', 'update', 'upsert', 'delete'] : ['upsert', 'update', 'create', 'delete'],
    ),
    key,
    skipsRefused: oneOf('refused', ['stop', 'skip']) === 'skip',
    isRehearsal: isRehearsal(request),
  };
  const skipsEmpty = oneOf('empty', ['null', 'skip']) === 'skip';
  const columns = columnsOf(singleValue(query, 'columns'), format);
  const decimal = oneOf('decimal', ['', '.', ',']) || undefined;
  const dateOrder = oneOf('dateOrder', ['', 'dmy', 'mdy']) || undefined;
  if ((decimal ?? dateOrder) !== undefined && format !== 'csv')
    throw new PlatformError('REQ_INVALID_PARAMETER', "Parameters 'decimal' and 'dateOrder' are for text/csv");
  const delimiter = singleValue(query, 'delimiter');
  if (delimiter !== undefined && !/^[^"\r\n]$/u.test(delimiter))
    throw new PlatformError('REQ_INVALID_PARAMETER', "Parameter 'delimiter' must be one character");
  if (delimiter !== undefined && format !== 'csv')
    throw new PlatformError('REQ_INVALID_PARAMETER', "Parameter 'delimiter' is for text/csv");
  return { options, format, charset, delimiter, columns, skipsEmpty, decimal, dateOrder };
}

function columnsOf(text: string | undefined, format: ReceivedImport['format']): ExactObject {
  if (text === undefined || text === '') return {};
  if (format === 'ndjson')
    throw new PlatformError('REQ_INVALID_PARAMETER', "Parameter 'columns' is for tables: NDJSON has attributes");
  const columns = parseExactJson(text, "Parameter 'columns'", 'REQ_INVALID_PARAMETER');
  if (isExactObject(columns)) return columns;
  throw new PlatformError('REQ_INVALID_PARAMETER', "Parameter 'columns' must be a JSON object");
}
