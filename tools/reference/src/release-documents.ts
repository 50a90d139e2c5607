import { LINTEL_VERSION, OPENAPI_VERSIONS } from '@lintel/http';
import { openApiFiles } from './openapi-files.ts';

/**
 * The API documents that are attached to a release, by file name: those of every application and of the reports, in
 * each version of OpenAPI, as JSON and YAML. `lintel-0.1.0-openapi-3.0-rest.json` is one of them.
 */
export async function releaseDocuments(): Promise<Readonly<Record<string, string>>> {
  const files = await Promise.all(
    OPENAPI_VERSIONS.map(async (openapi) =>
      Object.entries(await openApiFiles(openapi)).map(
        ([name, text]) => [`lintel-${LINTEL_VERSION}-openapi-${openapi}-${name}`, text] as const,
      ),
    ),
  );
  return Object.fromEntries(files.flat());
}
