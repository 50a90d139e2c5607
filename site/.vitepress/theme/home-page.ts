import { Content } from 'vitepress';
import { VPHomeContent, VPHomeFeatures, VPHomeHero } from 'vitepress/theme';
import { defineComponent, h } from 'vue';

/** The start page in the form of the layout `home`, in the landmark that `home` lacks. */
export const HomePage = defineComponent({
  name: 'HomePage',
  render: () =>
    h('main', { class: 'home-page' }, [
      h(VPHomeHero),
      h(VPHomeFeatures),
      h(VPHomeContent, null, { default: () => h(Content) }),
    ]),
});
