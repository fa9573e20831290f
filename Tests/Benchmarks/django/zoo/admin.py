from django.contrib import admin

from .models import Animal, AnimalCategory


@admin.register(Animal)
class AnimalAdmin(admin.ModelAdmin):
    list_display = ["name", "diet", "category"]
    list_select_related = ["category"]
    list_per_page = 50
    ordering = ["name", "id"]


admin.site.register(AnimalCategory)
