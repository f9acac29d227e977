/**
 * A page that shows this page in a frame could cover the buttons here with buttons of its own. So nothing runs in a
 * frame: only the link of `index.html` remains, which also appears if a sandbox has loaded no script at all.
 */
if (window.top !== window) {
  document.querySelector<HTMLAnchorElement>(".alone a")!.href = location.href;
  // The stylesheet shows the link if the page is missing.
  document.getElementById("app")!.remove();
  throw new Error("Duello does not run inside another page.");
}
