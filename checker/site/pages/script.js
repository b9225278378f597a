"use strict";
(() => {
  const form = document.getElementById("search");
  const wanted = document.getElementById("wanted");
  const hits = document.getElementById("hits");
  const found = (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    const all = window.INDEX.filter((e) => words.every((w) => (e[0] + " " + e[1]).toLowerCase().includes(w)));
    const exact = (e) => (e[0].toLowerCase() === words.join(" ") ? 0 : 1);
    return all.sort((a, b) => exact(a) - exact(b)).slice(0, 12);
  };
  form.hidden = false;
  wanted.addEventListener("input", () => {
    hits.replaceChildren(...found(wanted.value).map(([name, text, href]) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = href;
      link.textContent = text ? name + " " + text : name;
      item.append(link);
      return item;
    }));
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const first = found(wanted.value)[0];
    if (first) window.location.href = first[2];
  });
  const steps = [...document.querySelectorAll(".steps > li")];
  if (!steps.length) return;
  const at = document.getElementById("at");
  let here = 0;
  const show = (number) => {
    here = Math.min(Math.max(number, 0), steps.length - 1);
    steps.forEach((step, place) => { step.hidden = place !== here; });
    at.textContent = here ? "Step " + here + " of " + (steps.length - 1) : "The start";
  };
  document.querySelector(".buttons").hidden = false;
  document.querySelector(".keys").hidden = false;
  document.getElementById("back").addEventListener("click", () => show(here - 1));
  document.getElementById("on").addEventListener("click", () => show(here + 1));
  document.getElementById("all").addEventListener("click", () => {
    steps.forEach((step) => { step.hidden = false; });
    at.textContent = "All steps";
  });
  document.addEventListener("keydown", (event) => {
    if (event.target === wanted || event.altKey || event.ctrlKey || event.metaKey) return;
    // A table or a picture that is wider than its frame is moved by these keys.
    const frame = event.target.closest && event.target.closest("[tabindex]");
    if (frame && frame.scrollWidth > frame.clientWidth) return;
    if (event.key === "ArrowRight") show(here + 1);
    if (event.key === "ArrowLeft") show(here - 1);
  });
  show(0);
})();
