export default {
  extends: "stylelint-config-recommended",
  reportDescriptionlessDisables: true,
  reportNeedlessDisables: true,
  rules: {
    "no-descending-specificity": null, // a sheet is ordered by what it draws
  },
};
