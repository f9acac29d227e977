/**
 * A page that shows this one in a frame could cover its buttons with other ones. So nothing runs in a frame: only the
 * link of `index.html` remains, which also appears if a sandbox has loaded no script at all.
 */
if (window.top !== window) {
  document.querySelector<HTMLAnchorElement>(".alone a")!.href = location.href;
  // The stylesheet shows the link if the page is missing.
  document.getElementById("app")!.remove();
  throw new Error("Duello does not run inside another page.");
}
