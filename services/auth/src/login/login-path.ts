/** Where browsers log in (contract-security-core.md §1.1). */
export const LOGIN_PATH = '/as-login';
