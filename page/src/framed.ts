/**
 * Where another page shows this one in a frame, it could lay its own buttons over those of this one. So nothing runs
 * there: what is left is the link of `index.html`, which also stands where a sandbox has loaded no script at all.
 */
if (window.top !== window) {
  document.querySelector<HTMLAnchorElement>(".alone a")!.href = location.href;
  // The stylesheet shows the link where the page is not.
  document.getElementById("app")!.remove();
  throw new Error("Duello does not run inside another page.");
}
