import { empty, json, type RouteDescription, ref, routeOf } from '../../route-description.ts';

const route = routeOf('Current user');

/** Routes of the notifications of the caller (contract/mail.md#reading). */
export const notificationRoutes = (path: string): readonly RouteDescription[] => [
  route('get', path, 'listNotifications', {
    summary: 'Notifications of the caller',
    description:
      'The 50 newest notifications of the caller, with texts in the language of the request. Needs a login: API keys and users who see as another one have none.',
    responses: { 200: json('The notifications', ref('Notifications')) },
    errors: [406],
  }),
  route('post', `${path}/read`, 'readNotifications', {
    summary: 'Marks notifications as read',
    description: 'All notifications of the caller, or these; others are left out.',
    request: { ...json('Which', ref('NotificationsRead')), required: true, example: {} },
    responses: { 204: empty('They are read') },
  }),
];
