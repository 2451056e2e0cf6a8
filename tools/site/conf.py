"""Sphinx's settings for the documentation; ``tools/site/build.py`` calls it."""

from importlib.metadata import version as _version

from sphinx.util.inspect import TypeAliasForwardRef as _Alias

project = "triomino"
author = "The triomino developers"
project_copyright = "the triomino developers, MIT licence"
version = release = _version("triomino")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
root_doc = "index"
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block"]
nitpicky = False

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
autodoc_default_options = {"members": True}
autodoc_type_aliases = {"Json": "Json", "Move": "Move", "Seat": "Seat"}
# Within other types, too, an alias is its name: "list[Move]".
_Alias.__repr__ = lambda self: self.name
python_use_unqualified_type_names = True
add_module_names = False
maximum_signature_line_length = 80

html_theme = "furo"
html_title = "triomino"
html_static_path = ["static"]
html_css_files = ["look.css"]
html_favicon = html_logo = "icon.svg"  # the page's own
html_copy_source = False
html_show_sourcelink = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"
