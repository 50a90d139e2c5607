import {
  empty,
  inHeader,
  json,
  type ParameterDescription,
  type RouteDescription,
  ref,
  routeOf,
} from '../route-description.ts';

const required = (name: string, description: string): ParameterDescription => ({
  ...inHeader(name, description),
  required: true,
});

/** The messages that the platform sends to the receivers of webhooks (docs/guide/webhooks.md, Standard Webhooks). */
export const WEBHOOKS: Readonly<Record<string, RouteDescription>> = {
  entityChanged: routeOf('Changes')('post', '', 'receiveEntityChange', {
    summary: 'A change of an instance',
    description:
      'Sent to the `url` of an instance of `sys_Webhook` for each change that its owner may see, at least once. ' +
      'A repeated message has the same `webhook-id`. Verify the signature over the received bytes before you parse them.',
    parameters: [
      required('webhook-id', 'Id of the message; the same when it is sent again'),
      required('webhook-timestamp', 'When this attempt was signed: seconds since 1970'),
      required(
        'webhook-signature',
        '`v1,` and the HMAC-SHA-256 of id, timestamp and body in base64; several with blanks',
      ),
    ],
    request: { ...json('The change', ref('WebhookMessage')), required: true },
    responses: {
      204: empty('The message was accepted. Any other 2xx means the same; after another status it is sent again'),
    },
    security: 'none',
  }),
};
