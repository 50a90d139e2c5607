import { AccessDeniedError, RestError, restMethod, service, ValidationError } from '@lintel/application';

export class TeapotError extends Error {}

/** Methods that fail, each in another way. */
export const errors = service('d_Errors', {
  bug: restMethod({}, () => {
    throw new Error('secret details');
  }),
  business: restMethod({}, () => {
    throw new RestError(422, 'Cannot be shipped', 'The address is incomplete');
  }),
  invalid: restMethod({}, () => {
    throw new ValidationError('Epic fail');
  }),
  denied: restMethod({}, () => {
    throw new AccessDeniedError('Only on Mondays');
  }),
  teapot: restMethod({}, () => {
    throw new TeapotError('short and stout');
  }),
  forbiddenRead: restMethod({}, async (_none, { data }) => {
    await data.loadList('d_Counter');
  }),
});
