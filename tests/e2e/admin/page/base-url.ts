/** Address of the service, which the server of the page writes into it. */
export const baseUrl = document.documentElement.dataset['baseUrl'] ?? '';
