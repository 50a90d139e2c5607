import { loadSettings, restPathSettings } from '@lintel/config';
import { API_VERSION, genericDocument, type OpenApiDocument, reportsDocument, restApiInfo } from '@lintel/contracts';
import { documentTexts, LINTEL_VERSION } from '@lintel/http';

const FOLDER = 'docs/reference/openapi/';
/** Of the defaults alone. */
const PATHS = loadSettings(restPathSettings, { sources: [], readSecretFile: () => '' });

/**
 * The API documents of a release (contract/api-documents.md#endpoints), by path: what is the same for every
 * application, at the default paths.
 */
export async function openApiFiles(): Promise<Readonly<Record<string, string>>> {
  return {
    ...(await filesOf('rest', genericDocument(restApiInfo('Lintel: REST API', API_VERSION, LINTEL_VERSION), PATHS))),
    ...(await filesOf('reports', reportsDocument(LINTEL_VERSION))),
  };
}

const filesOf = async (name: string, document: OpenApiDocument): Promise<Readonly<Record<string, string>>> => ({
  [`${FOLDER}${name}.json`]: `${JSON.stringify(document, undefined, 2)}\n`,
  [`${FOLDER}${name}.yaml`]: (await documentTexts(() => document).yaml()).text,
});
