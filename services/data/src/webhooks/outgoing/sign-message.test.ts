import { Webhook } from 'standardwebhooks';
import { isWebhookSecret, signedHeaders } from './sign-message.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const MESSAGE = { id: '019aa5d2-6f7e-7c3a-9d0e-4f1c2b3a4d5e', body: '{"data":{"text":"ä – 1.10"}}' };

test('a message can be verified with the secret of any of its signatures', () => {
  const headers = signedHeaders(MESSAGE, [SECRET, OTHER], Date.now());
  for (const secret of [SECRET, OTHER])
    expect(new Webhook(secret).verify(MESSAGE.body, headers)).toEqual({ data: { text: 'ä – 1.10' } });
});

test('a message that was changed, or has another secret or another time, is not verified', () => {
  const headers = signedHeaders(MESSAGE, [SECRET], Date.now());
  expect(() => new Webhook(SECRET).verify(`${MESSAGE.body} `, headers)).toThrow();
  expect(() => new Webhook(SECRET).verify(MESSAGE.body, { ...headers, 'webhook-id': 'x' })).toThrow();
  expect(() => new Webhook(OTHER).verify(MESSAGE.body, headers)).toThrow();
  const old = signedHeaders(MESSAGE, [SECRET], Date.now() - 3_600_000);
  expect(() => new Webhook(SECRET).verify(MESSAGE.body, old)).toThrow();
});

test('the signature is that of the example in the specification', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = signedHeaders(
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' },
    [secret],
    1_614_265_330_999,
  );
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test.each([
  ['a key of 24 bytes', OTHER, true],
  ['a key of 64 bytes', `whsec_${Buffer.alloc(64).toString('base64')}`, true],
  ['a key that is too short', `whsec_${Buffer.alloc(23).toString('base64')}`, false],
  ['a key that is too long', `whsec_${Buffer.alloc(65).toString('base64')}`, false],
  ['another beginning', `secret_${Buffer.alloc(32).toString('base64')}`, false],
  ['other letters', `whsec_${'*'.repeat(40)}`, false],
  ['no key', 'whsec_', false],
])('whether %s is a valid secret', (_, text, expected) => expect(isWebhookSecret(text)).toBe(expected));
