/** The version of the API that existing clients detect features by (decisions.md 35). */
export const API_VERSION = '7.2.0';
