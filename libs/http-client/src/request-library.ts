// Imported late. A late import of undici itself would have no names in the images: it is no ES module.
export { Agent, request } from 'undici';
