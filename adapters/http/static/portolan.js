// Adds a button to each text that is there to be copied. Without it, or where the browser gives no clipboard (plain http
// on another machine), a click selects the whole text.
if (navigator.clipboard !== undefined) {
  for (const place of document.querySelectorAll('.copy')) place.append(buttonFor(place));
}

function buttonFor(place) {
  const text = place.querySelector('code').textContent;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button quiet';
  button.textContent = 'Copy';
  const told = document.createElement('span');
  told.setAttribute('role', 'status');
  const tell = (what) => () => {
    told.textContent = what;
  };
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text).then(tell('Copied'), tell('Select the text and copy it'));
  });
  const bar = document.createElement('p');
  bar.append(button, told);
  return bar;
}
