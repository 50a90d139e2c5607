import { loadSettings, restPathSettings } from '@lintel/config';
import { API_VERSION, genericDocument, reportsDocument, restApiInfo } from '@lintel/contracts';
import { documentVersions, LINTEL_VERSION, type OpenApiVersion } from '@lintel/http';

/** Of the defaults alone. */
const PATHS = loadSettings(restPathSettings, { sources: [], readSecretFile: () => '' });

/** The API documents that are the same for every application, at the default paths, by name. */
const DOCUMENTS = {
  rest: documentVersions(() => genericDocument(restApiInfo('Lintel: REST API', API_VERSION, LINTEL_VERSION), PATHS)),
  reports: documentVersions(() => reportsDocument(LINTEL_VERSION)),
};

/** The documents as files in JSON and YAML, by name (contract/api-documents.md#endpoints). */
export async function openApiFiles(openapi: OpenApiVersion): Promise<Readonly<Record<string, string>>> {
  const files = await Promise.all(
    Object.entries(DOCUMENTS).map(async ([name, document]) => {
      const { json, yaml } = document[openapi];
      return [
        [`${name}.json`, `${JSON.stringify(JSON.parse(json().text), undefined, 2)}\n`],
        [`${name}.yaml`, (await yaml()).text],
      ] as const;
    }),
  );
  return Object.fromEntries(files.flat());
}
