import { empty, inPath, inQuery, json, type RouteDescription, ref, routeOf } from '../../route-description.ts';

const route = routeOf('Current user');
const VIEW_ID = { ...inPath('viewId', 'The id of the view'), example: '5b0c6f60-52a4-4c5e-9b6a-0f7b5f0f3d11' };
const CONTENT = 'The content is of the client; the server does not read it.';
const SHARE = 'To share it needs the specific policy `views.share`.';
const EXAMPLE = { entityName: 'sales_Order', name: 'Open orders', content: { sort: '-date' } };

/** Saved views of lists (contract/user.md#views). */
export const listViewRoutes = (path: string): readonly RouteDescription[] => [
  route('get', path, 'listListViews', {
    summary: 'Saved views of lists',
    description:
      'Returns the views of the caller, and those that are shared with all users or with a role of the caller, by name. Views of entities that the caller may not read are left out.',
    parameters: [{ ...inQuery('entityName', 'Only views of this entity'), example: 'sales_Order' }],
    responses: { 200: json('The views', { type: 'array', items: ref('ListView') }) },
    errors: [406],
  }),
  route('post', path, 'createListView', {
    summary: 'Saves a view of a list',
    description: `A user has at most 100 views. ${CONTENT} ${SHARE}`,
    request: { ...json('The view', ref('ListViewInput')), required: true, example: EXAMPLE },
    responses: { 201: json('The view', ref('ListView')) },
    errors: [404, 409],
  }),
  route('put', `${path}/{viewId}`, 'updateListView', {
    summary: 'Replaces a view of the caller',
    description: `${CONTENT} ${SHARE}`,
    parameters: [VIEW_ID],
    request: { ...json('The view', ref('ListViewInput')), required: true, example: EXAMPLE },
    responses: { 200: json('The view', ref('ListView')) },
    errors: [409],
  }),
  route('delete', `${path}/{viewId}`, 'deleteListView', {
    summary: 'Deletes a view',
    description: 'One of the caller; with the specific policy `views.share` also a shared one of another user.',
    parameters: [VIEW_ID],
    responses: { 204: empty('It is deleted') },
  }),
];
