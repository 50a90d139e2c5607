export { freeLoopbackPort as freePort } from '@lintel/embedded-database';
