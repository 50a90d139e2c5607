import { inQuery, json, listOf, type RouteDescription, ref, routeOf } from '../../route-description.ts';
import { INTEGERS } from '../integers.ts';

const route = routeOf('Operation');
const RIGHTS = 'Needs the specific policy `files.manage`.';
const EXAMPLE = { fileRefs: ['fs://2026/11/21/5b0c6f60-52a4-4c5e-9b6a-0f7b5f0f3d11.txt?name=note.txt'] };

/** Files that nothing refers to (contract/operations.md#unreferenced-files). */
export const unreferencedFileRoutes = (operationsPath: string): readonly RouteDescription[] => [
  route('get', `${operationsPath}/unreferenced-files`, 'listUnreferencedFiles', {
    summary: 'Files that nothing refers to',
    description: `${RIGHTS} Uploads of users that are older than \`svc.files.unreferenced-age\`. A part of the list may be empty and have a cursor for the next one.`,
    parameters: [INTEGERS.unreferencedFiles, inQuery('cursor', 'The cursor of the part before')],
    responses: { 200: json('A part of the list', ref('UnreferencedFiles')) },
  }),
  route('post', `${operationsPath}/unreferenced-files/remove`, 'removeUnreferencedFiles', {
    summary: 'Removes files that nothing refers to',
    description: `${RIGHTS} Each file is examined again. One that something refers to, or begins to refer to now, stays.`,
    request: { ...json('At most 100 files', ref('FileRemovalRequest')), required: true, example: EXAMPLE },
    responses: { 200: json('What happened to each file, in the order of the request', listOf(ref('FileRemoval'))) },
  }),
];
