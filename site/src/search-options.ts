/**
 * Options of MiniSearch for the search of the site. VitePress writes the functions into the page as text, so they use
 * nothing outside of themselves.
 */
export const searchOptions = {
  /**
   * Guides come before the contract, the contract before the reference, which has the same words in tables; decisions
   * and generated types come last.
   *
   * @param id path of a section: `/lintel/guide/reading#filters`
   */
  boostDocument(id: string): number {
    if (/\/(adr|reference\/typescript)\//.test(id) || /\/changelog/.test(id)) return 0.05;
    if (/\/(guide\/|start|not-included)/.test(id)) return 3;
    return /\/contract\//.test(id) ? 1.2 : 0.6;
  },
  /** Adds the word of these pages to a word that people know from other products. */
  processTerm(word: string): string | string[] {
    const known: Record<string, string> = {
      watch: 'dev',
      reload: 'dev',
      hot: 'dev',
      cron: 'schedule',
      scheduler: 'scheduled',
      audit: 'history',
      upsert: 'creation',
      merge: 'patch',
      gdpr: 'personal',
      dsgvo: 'personal',
      acl: 'roles',
      permission: 'rights',
      realtime: 'changes',
      subscription: 'changes',
      trigger: 'listener',
      hook: 'listener',
      rls: 'row-level',
      seed: 'demo',
      email: 'mail',
    };
    const term = word.toLowerCase();
    const own = known[term];
    return own === undefined ? term : [term, own];
  },
};
