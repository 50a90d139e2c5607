import type { Page } from 'playwright-core';

/** Something that a user does, and what is shown then. */
export interface Step {
  readonly what: string;
  /** Holds when it is shown: an expression of JavaScript. */
  readonly condition: string;
  /** Matches the addresses of the responses that it needs. */
  readonly responses: RegExp;
  act(page: Page): Promise<unknown>;
}

const ORDERS = /\/rest\/entities\/sales_Order(\/search)?(\?|$)/;
const READY = `document.querySelector('#content table[aria-busy=false] tbody a') !== null`;
const heading = (title: string): string =>
  `document.querySelector('#content h1')?.textContent === ${JSON.stringify(title)}`;
const click = (page: Page, role: 'link' | 'button', name: string | RegExp): Promise<void> =>
  page
    .getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) })
    .first()
    .click();
const rowOf = (page: Page) => page.locator('#content tbody a').first();

/** In their order: each begins where the one before ends. */
export const STEPS: readonly Step[] = [
  {
    what: 'list of orders',
    condition: `${heading('Order')} && ${READY}`,
    responses: ORDERS,
    act: (page) => click(page, 'link', /^Order\b/),
  },
  {
    what: 'list, in another order',
    condition: `document.querySelector('#content th[aria-sort=descending]') === null && document.querySelector('#content th[aria-sort=ascending]') !== null && ${READY}`,
    responses: ORDERS,
    act: (page) => page.getByRole('columnheader').getByRole('button', { name: 'Date', exact: true }).click(),
  },
  {
    what: 'list, next page',
    condition: `document.querySelector('#content')?.textContent.includes('Page 2') && ${READY}`,
    responses: ORDERS,
    act: (page) => click(page, 'button', 'Next page'),
  },
  {
    what: 'form of an order with its lines',
    condition: `/^A-/.test(document.querySelector('#content h1')?.textContent ?? '') && document.querySelector('#content input') !== null`,
    responses: /\/rest\/entities\/sales_Order\//,
    act: (page) => rowOf(page).click(),
  },
  {
    what: 'form, saved',
    condition: `[...document.querySelectorAll('[role=alert]')].some(({ textContent }) => textContent.includes('Saved'))`,
    responses: /\/rest\/entities\/sales_Order\//,
    async act(page) {
      await page.getByLabel('Notes').fill(`measured ${Date.now()}`);
      await page.keyboard.press('Control+s');
    },
  },
  {
    what: 'list of customers',
    condition: `${heading('Customer')} && ${READY}`,
    responses: /\/rest\/entities\/sales_Customer/,
    act: (page) => click(page, 'link', /^Customer\b/),
  },
  {
    what: 'form of a customer',
    condition: `location.pathname.split('/').length === 5 && document.querySelector('#content form input') !== null`,
    responses: /\/rest\/entities\/sales_Customer\//,
    act: (page) => rowOf(page).click(),
  },
  {
    what: 'list of users',
    condition: `${heading('Users')} && document.querySelector('#content tbody a') !== null`,
    responses: /\/rest\//,
    async act(page) {
      await click(page, 'link', 'People and rights');
      await click(page, 'link', /^Users/);
    },
  },
  {
    what: 'list of reports',
    condition: `${heading('Reports')} && document.querySelector('#content li a, #content tbody a, #content a') !== null`,
    responses: /\/rest\/reports/,
    act: (page) => click(page, 'link', 'Reports'),
  },
  {
    what: 'list of texts',
    condition: `${heading('Texts')} && document.querySelector('#content tbody tr') !== null`,
    responses: /\/rest\//,
    act: (page) => click(page, 'link', 'Texts'),
  },
];
