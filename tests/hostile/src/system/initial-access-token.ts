/** With which the hostile system registers clients (`svc.auth.registration.initial-access-token`). */
export const INITIAL_ACCESS_TOKEN = 'initial-access-token-of-the-hostile-system';
