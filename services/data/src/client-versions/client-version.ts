import { type JsonVersion, TransformationError } from '@lintel/application';
import { parseJson } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import { type ExactJson, readExactJson } from '@lintel/query';

/** The versions of the model that clients may use, by the value of `modelVersion`. */
export type ModelVersions = ReadonlyMap<string, JsonVersion>;

/**
 * The version that a request names; undefined for the current one and for unknown ones
 * (contract/model-versions.md#model-versions).
 *
 * @throws PlatformError REQ_INVALID_PARAMETER if it is given twice, or is not a text in a body
 *   (contract/decisions.md#8)
 */
export function namedVersion(versions: ModelVersions, name: unknown): JsonVersion | undefined {
  if (name === undefined) return undefined;
  if (typeof name !== 'string')
    throw new PlatformError('REQ_INVALID_PARAMETER', "Parameter 'modelVersion' must be one text, given once");
  return versions.get(name);
}

/**
 * Instances that a client sent, in the JSON of the current model.
 *
 * @throws PlatformError REQ_TRANSFORMATION_FAILED if a transformer of the application refuses them
 */
export function currentJson(version: JsonVersion | undefined, entityName: string, json: ExactJson): ExactJson {
  if (version === undefined) return json;
  try {
    return version.fromClient(entityName, json);
  } catch (error) {
    if (error instanceof RangeError)
      throw new PlatformError('REQ_MALFORMED_JSON', 'The request body is nested too deeply', { cause: error });
    if (!(error instanceof TransformationError)) throw error;
    throw new PlatformError('REQ_TRANSFORMATION_FAILED', error.message, { cause: error });
  }
}

/** The same for the text of a body. A text that is no JSON is returned unchanged. */
export async function currentBody(version: JsonVersion | undefined, entityName: string, text: string): Promise<string> {
  if (version === undefined) return text;
  let json: ExactJson;
  try {
    json = await parseJson(text, 'The request body');
  } catch {
    return text;
  }
  return JSON.stringify(currentJson(version, entityName, json));
}

/** The JSON text of instances in the client's version of the model. */
export const clientJson = (version: JsonVersion, entityName: string, json: string): string =>
  JSON.stringify(version.toClient(entityName, readExactJson(json)));
