import { CHANNEL } from './oauth.js';

/** The last page of a login: hands the code to the explorer, in whose window the login began, and closes. */
const parameters = new URLSearchParams(location.search);
const channel = new BroadcastChannel(CHANNEL);
channel.postMessage({
  state: parameters.get('state'),
  code: parameters.get('code'),
  error: parameters.get('error'),
  description: parameters.get('error_description'),
});
channel.close();
history.replaceState(null, '', location.pathname);
window.close();
